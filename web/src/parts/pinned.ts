// The own row at the bottom of the window while the real one is out of sight. Where
// the board's rows have the player, it is for the eye alone, so nothing reads it out
// a second time; where they do not, it is the player's row.
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
    // What is behind the pinned row itself, a row's height, is not in sight.
    this.#sight = new IntersectionObserver(([seen]) => seen && this.#stand(seen.isIntersecting), { rootMargin: "0px 0px -44px 0px", threshold: 0.5 });
  }

  update(own: Own | null, real: Element | null, decimals: Decimals): void {
    const isRanked = own !== null && own.rank !== null;
    show(this.element, isRanked);
    if (isRanked !== !!this.element.firstChild) fill(this.element, isRanked && this.#row.element); // no row of nobody is left about
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
    this.#stand(!!real); // until the browser has looked
    if (real) this.#sight.observe(real);
  }

  // It keeps its place either way, so that nothing moves as one scrolls.
  #stand(isRealSeen: boolean): void {
    this.element.classList.toggle("idle", isRealSeen);
  }
}
