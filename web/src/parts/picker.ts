// Picks a day, week or month: the previous, the next, or the one with any date in it.
import { h, say } from "./dom.ts";
import type { Format } from "./format.ts";
import { begins, isDate, shift, title, type Period } from "./periods.ts";

export class Picker {
  readonly element: HTMLElement;
  #period: Period = "day";
  #date = "";
  #current = "";
  readonly #before = h("button", { type: "button", "data-testid": "period-before", "aria-label": "The period before", onclick: () => this.#choose(shift(this.#period, this.#date, -1)) }, "‹");
  readonly #after = h("button", { type: "button", "data-testid": "period-after", "aria-label": "The period after", onclick: () => this.#choose(shift(this.#period, this.#date, 1)) }, "›");
  readonly #title = h("span", { "data-testid": "period" });
  readonly #input = h("input", {
    type: "date", "data-testid": "period-date", "aria-label": "Any date of the period", onchange: () => isDate(this.#input.value) && this.#choose(this.#input.value),
  });

  /** chosen is called with a date of the chosen period, null for the current one. */
  constructor(
    private readonly format: Format,
    private readonly chosen: (date: string | null) => void,
  ) {
    this.element = h("div", { class: "picker", role: "group", "aria-label": "Period" }, this.#before, this.#title, this.#after, this.#input);
  }

  /** update shows the period of a date; `current` is a date of the current period. */
  update(period: Period, date: string, current: string): void {
    [this.#period, this.#date, this.#current] = [period, date, current];
    const isBounded = period === "day" || period === "week" || period === "month";
    this.element.classList.toggle("none", !isBounded);
    if (!isBounded) return;
    say(this.#title, title(period, date, this.format));
    this.#after.disabled = begins(period, date) >= begins(period, current);
    this.#input.max = current;
    this.#input.value = date;
  }

  #choose(date: string): void {
    this.chosen(begins(this.#period, date) >= begins(this.#period, this.#current) ? null : date);
  }
}
