// The rail: the screens of the page by what they are about, and what waits in them. On a narrow
// window a select takes the place of its links.
import { fill, h, type Child } from "../parts/dom.ts";

const groups: [group: string, screens: [id: string, title: string][]][] = [
  ["", [["overview", "Overview"]]],
  ["Spend", [["bill", "Bill"], ["routes", "Routes"], ["what-if", "Cost projection"]]],
  ["Players", [["players", "Player lookup"], ["held", "Under review"], ["bans", "Bans"]]],
  ["System", [["state", "Health"], ["schedules", "Schedules"], ["dead-letters", "Dead letters"], ["maintenance", "Maintenance"], ["log", "Audit log"]]],
];

const titles = new Map(groups.flatMap(([, screens]) => screens));

/** titleOf is the title of a screen; undefined if there is no such screen. */
export const titleOf = (id: string) => titles.get(id);

export interface Rail {
  element: HTMLElement;
  /** count shows how much waits in a screen. */
  count(id: string, n: number): void;
  /** mark marks the screen that is shown. */
  mark(id: string): void;
}

/** rail makes the rail, with `first` above the links and `last` below them. */
export function rail(first: Child, ...last: Child[]): Rail {
  const links = new Map<string, HTMLAnchorElement>();
  const options = new Map<string, HTMLOptionElement>();
  const select = h("select", { "aria-label": "Section", "data-testid": "section", onchange: () => (location.hash = select.value) });
  const items: Child[] = [];
  for (const [group, screens] of groups) {
    if (group) items.push(h("strong", {}, group));
    for (const [id, title] of screens) {
      const shortcut = id === "players";
      links.set(id, h("a", { href: "#" + id, "data-testid": "to-" + id, "aria-keyshortcuts": shortcut && "/ Control+K" }, h("span", {}, title), h("span", { class: "waits" }), shortcut && h("kbd", { "aria-hidden": "true" }, "/")));
      options.set(id, h("option", { value: id }, title));
      items.push(links.get(id));
    }
    const made = screens.map(([id]) => options.get(id)!);
    select.append(...(group ? [h("optgroup", { label: group }, ...made)] : made));
  }
  return {
    element: h("nav", { class: "rail", "aria-label": "Sections" }, first, h("div", {}, select, ...items), ...last),
    count(id, n) {
      fill(links.get(id)!.children[1]!, n > 0 && String(n));
      options.get(id)!.textContent = titles.get(id)! + (n > 0 ? ` (${n})` : "");
    },
    mark(id) {
      for (const [name, link] of links) {
        if (name === id) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
      }
      select.value = id;
    },
  };
}
