// The player's row below a board. Pinned to the bottom of the window, it stands in for the real
// row while that is out of sight; it is then hidden from screen readers, which would read it
// twice. If the board's rows lack the player, it is the player's only row: it has its
// neighbours beside it, and sticks to the window until the reader gets there.
import type { Entry } from "../../../sdk/js/src/index.ts";
import type { Own } from "./board.ts";
import type { Decimals, Format } from "./format.ts";
import { fill, h, show } from "./dom.ts";
import { Row } from "./row.ts";
import { words } from "./words.ts";

export class Pinned {
  readonly element = h("tfoot", { part: "pinned", hidden: true });
  readonly #row: Row;
  readonly #gap: HTMLTableRowElement;
  readonly #beside = new Map<string, Row>(); // the neighbours' rows
  #real: Element | null = null;
  readonly #sight: IntersectionObserver;

  /** below is how many pixels at the bottom of the window are covered. */
  constructor(
    private readonly format: Format,
    private readonly chosen: (entry: Entry) => void,
    private readonly pictures: boolean,
    below: number,
    find: (() => void) | undefined,
  ) {
    this.#row = new Row(format, chosen, pictures);
    this.#gap = h("tr", { class: "gap" }, h("td", { colspan: 3 }, "••• ", !!find && h("button", { type: "button", "data-testid": "find-me", onclick: find }, words.findMe)));
    this.#sight = new IntersectionObserver(([seen]) => seen && this.#idle(seen.isIntersecting), { rootMargin: `0px 0px -${below}px 0px` });
  }

  update(own: Own | null, real: Element | null, decimals: Decimals, around: Entry[]): void {
    const isRanked = own !== null && own.rank !== null;
    show(this.element, isRanked);
    if (isRanked) this.#row.update(own as Own & Entry, true, own.change, decimals);
    const { element } = this.#row;
    if (real) {
      element.removeAttribute("data-testid");
      element.removeAttribute("aria-current");
    } else {
      element.dataset.testid = "row";
      element.setAttribute("aria-current", "true");
    }
    element.toggleAttribute("inert", !!real);
    if (real) element.setAttribute("aria-hidden", "true");
    else element.removeAttribute("aria-hidden");
    // Without a rank no row is left in the document.
    this.#list(isRanked ? (real ? [element] : this.#rows(own, around, decimals)) : []);
    if (real === this.#real) return;
    if (this.#real) this.#sight.unobserve(this.#real);
    this.#real = real;
    this.#idle(!!real); // assume that the real row is in sight until the observer reports
    if (real) this.#sight.observe(real);
  }

  /** reveal scrolls to where the row belongs. */
  reveal(): void {
    // The row itself sticks to the window, so it is in view anywhere; the one above it does not.
    this.#row.element.previousElementSibling?.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    this.element.querySelector<HTMLElement>("[aria-current] button")?.focus({ preventScroll: true });
  }

  #rows(own: Own, around: Entry[], decimals: Decimals): HTMLElement[] {
    for (const player of this.#beside.keys()) if (!around.some((entry) => entry.player === player)) this.#beside.delete(player);
    const rows = around.filter((entry) => entry.player !== own.player).map((entry) => {
      let row = this.#beside.get(entry.player);
      if (!row) this.#beside.set(entry.player, (row = new Row(this.format, this.chosen, this.pictures)));
      row.update(entry, false, undefined, decimals);
      row.element.dataset.testid = "near";
      return row.element;
    });
    const before = around.findIndex((entry) => entry.player === own.player);
    rows.splice(before < 0 ? 0 : before, 0, this.#row.element);
    return [this.#gap, ...rows];
  }

  #list(rows: HTMLElement[]): void {
    const { children } = this.element;
    if (rows.length !== children.length || rows.some((row, i) => row !== children[i])) fill(this.element, ...rows);
  }

  // #idle hides the pinned row while the real one is seen. The pinned row keeps its space, so that
  // nothing moves while the reader scrolls.
  #idle(isRealSeen: boolean): void {
    this.#row.element.classList.toggle("idle", isRealSeen);
  }
}
