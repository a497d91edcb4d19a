// The player's row, pinned to the bottom of the window while the real row is out of sight. If
// the table has a real row, the pinned one is hidden from screen readers, which would read it
// twice. If not, the pinned row is the player's only row.
import type { Entry } from "../../../sdk/js/src/index.ts";
import type { Own } from "./board.ts";
import type { Decimals, Format } from "./format.ts";
import { fill, h, show } from "./dom.ts";
import { Row } from "./row.ts";

export class Pinned {
  readonly element = h("tfoot", { part: "pinned", hidden: true });
  readonly #row: Row;
  #real: Element | null = null;
  readonly #sight: IntersectionObserver;

  constructor(format: Format, chosen: (entry: Entry) => void, pictures: boolean) {
    this.#row = new Row(format, chosen, pictures);
    // The pinned row hides the last 44 px of the window, so a row there does not count as seen.
    this.#sight = new IntersectionObserver(([seen]) => seen && this.#stand(seen.isIntersecting), { rootMargin: "0px 0px -44px 0px", threshold: 0.5 });
  }

  update(own: Own | null, real: Element | null, decimals: Decimals): void {
    const isRanked = own !== null && own.rank !== null;
    show(this.element, isRanked);
    if (isRanked !== !!this.element.firstChild) fill(this.element, isRanked && this.#row.element); // without a rank, leave no row in the document
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
    if (real === this.#real) return;
    if (this.#real) this.#sight.unobserve(this.#real);
    this.#real = real;
    this.#stand(!!real); // assume that the real row is in sight until the observer reports
    if (real) this.#sight.observe(real);
  }

  // #stand hides the pinned row while the real one is seen. The pinned row keeps its space, so that
  // nothing moves while the reader scrolls.
  #stand(isRealSeen: boolean): void {
    this.element.classList.toggle("idle", isRealSeen);
  }
}
