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
  const element = h("section", { id, "aria-labelledby": `${id}-title`, "data-testid": id }, name, said, body);
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

const long = 12; // rows from which on a table has a filter

/** table makes a table whose heads sort it, with a filter if it is long. It can be scrolled by keyboard if it is wider than the screen; on a phone each row is a card. */
export function table(caption: string, head: string[], rows: HTMLTableRowElement[], attributes: Record<string, string> = {}): HTMLElement {
  const body = h("tbody", {}, ...rows);
  for (const { cells } of rows) for (const [i, cell] of [...cells].entries()) cell.dataset.head = head[i] ?? "";
  const heads = head.map((name, i) => {
    const isNumber = rows.some(({ cells }) => cells[i]?.className === "number");
    const made = h("th", { scope: "col", class: isNumber ? "number" : null }, name);
    if (rows.length < 2 || name === acts) return made;
    made.replaceChildren(h("button", { type: "button", onclick: () => {
      const down = made.ariaSort ? made.ariaSort === "ascending" : isNumber; // numbers begin with the largest
      for (const other of heads) other.ariaSort = null;
      made.ariaSort = down ? "descending" : "ascending";
      body.append(...[...rows].sort((a, b) => (down ? -1 : 1) * compare(rankOf(a.cells[i]), rankOf(b.cells[i]))));
    } }, name));
    return made;
  });
  const wide = h("div", { class: "wide", tabindex: 0, role: "group", "aria-label": caption },
    h("table", attributes, h("caption", { class: "unseen" }, caption), h("thead", {}, h("tr", {}, ...heads)), body));
  if (rows.length < long) return wide;
  const filter = h("input", { type: "search", class: "filter", placeholder: "Filter", "aria-label": `Filter: ${caption}`, oninput: () => {
    for (const row of rows) row.hidden = !row.textContent!.toLowerCase().includes(filter.value.trim().toLowerCase());
  } });
  return h("div", {}, filter, wide);
}

/** acts is the head of the column with buttons, which sorts nothing. */
export const acts = "Actions";

// rankOf is what a cell is sorted by: its number, its time or its text.
function rankOf(cell: HTMLTableCellElement | undefined): number | string {
  const exact = cell?.querySelector<HTMLElement>("data, time");
  if (exact instanceof HTMLDataElement) return Number(exact.value);
  return exact?.getAttribute("datetime") ?? cell?.textContent ?? "";
}

// An empty cell has no number: it comes last.
const compare = (a: number | string, b: number | string) =>
  typeof a === "number" && typeof b === "number" ? a - b : typeof a === typeof b ? String(a).localeCompare(String(b)) : typeof a === "number" ? 1 : -1;

/** row makes a row of a table; its first cell is the row's heading. */
export function row(cells: (Child | number)[], attributes: Record<string, string> = {}): HTMLTableRowElement {
  return h("tr", attributes, ...cells.map((c, i) =>
    i === 0 ? h("th", { scope: "row" }, c as Child) : h("td", { class: c instanceof HTMLElement && (c.tagName === "DATA" || c.className === "budget") ? "number" : null }, c as Child)));
}
