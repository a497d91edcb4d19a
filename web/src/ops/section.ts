// A section of the page. It loads and shows its failures without the other sections.
import { fill, h, say, type Child } from "../parts/dom.ts";
import { problem } from "./words.ts";

export interface Section {
  element: HTMLElement;
  load(): Promise<void>;
}

/** section makes a section; its load fills it with the children that `show` returns. */
export function section(id: string, title: string, show: () => Promise<Child[]>): Section {
  const name = h("h2", { id: `${id}-title`, tabindex: -1 }, title);
  const said = h("p", { role: "alert", class: "wrong", "data-testid": `${id}-error` });
  const body = h("div");
  const element = h("section", { "aria-labelledby": `${id}-title`, "data-testid": id }, name, said, body);
  return {
    element,
    async load() {
      element.setAttribute("aria-busy", "true");
      try {
        const children = await show();
        const focused = body.contains(document.activeElement);
        fill(body, ...children);
        if (focused) name.focus(); // the element that had the focus was replaced
        say(said, "");
        element.removeAttribute("data-old");
      } catch (error) {
        say(said, problem(error));
        element.setAttribute("data-old", ""); // what is shown is from before
      }
      element.setAttribute("aria-busy", "false");
    },
  };
}

/** announcement makes a line that says what an act did, also to screen readers. */
export function announcement(): { element: HTMLElement; tell: (text: string) => void } {
  const element = h("p", { role: "status", class: "told", "data-testid": "told" });
  return { element, tell: (text) => say(element, text) };
}

/** table makes a table that can be scrolled by keyboard if it is wider than the screen. */
export function table(caption: string, head: Child[], rows: HTMLTableRowElement[], attributes: Record<string, string> = {}): HTMLElement {
  const heads = head.map((c, i) => h("th", { scope: "col", class: rows[0]?.cells[i]?.className || null }, c));
  return h("div", { class: "wide", tabindex: 0, role: "group", "aria-label": caption },
    h("table", attributes, h("caption", { class: "unseen" }, caption), h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...rows)));
}

/** row makes a row of a table; its first cell is the row's heading. */
export function row(cells: (Child | number)[], attributes: Record<string, string> = {}): HTMLTableRowElement {
  return h("tr", attributes, ...cells.map((c, i) =>
    i === 0 ? h("th", { scope: "row" }, c as Child) : h("td", { class: c instanceof HTMLElement && c.tagName === "DATA" ? "number" : null }, c as Child)));
}
