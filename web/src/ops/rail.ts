// The rail: the sections of the page by what they are about, and what waits in them.
import { fill, h, type Child } from "../parts/dom.ts";

const sections: [group: string, links: [id: string, title: string][]][] = [
  ["", [["overview", "Overview"]]],
  ["Spend", [["days", "Commands"], ["routes", "Routes"], ["what-if", "Cost projection"]]],
  ["Players", [["players", "Player lookup"], ["held", "Under review"], ["bans", "Bans"]]],
  ["System", [["state", "Problems"], ["schedules", "Schedules"], ["dead-letters", "Dead letters"], ["maintenance", "Maintenance"], ["log", "Audit log"]]],
];

export interface Rail {
  element: HTMLElement;
  /** count shows how much waits in a section. */
  count(id: string, n: number): void;
}

export function rail(): Rail {
  const links = new Map<string, HTMLAnchorElement>();
  const items: Child[] = [];
  for (const [group, list] of sections) {
    if (group) items.push(h("strong", {}, group));
    for (const [id, title] of list) {
      const link = h("a", { href: "#" + id, "data-testid": "to-" + id }, h("span", {}, title), h("span", { class: "waits" }));
      links.set(id, link);
      items.push(link);
    }
  }
  return {
    element: h("nav", { class: "rail", "aria-label": "Sections" }, ...items),
    count: (id, n) => fill(links.get(id)!.lastElementChild!, n > 0 && String(n)),
  };
}
