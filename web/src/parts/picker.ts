// Picks a day, week or month: the previous, the next, or the one with any date in it.
import { h, say, show } from "./dom.ts";
import type { Format } from "./format.ts";
import { begins, isDate, shift, title, type Period } from "./periods.ts";

export interface PickerWords {
  period: string;
  previous: string;
  next: string;
  pickDate: string;
  backToToday: string;
  current: (period: Period) => string;
}

export class Picker {
  readonly element: HTMLElement;
  #period: Period = "day";
  #date = "";
  #current = "";
  readonly #before: HTMLButtonElement;
  readonly #after: HTMLButtonElement;
  readonly #today: HTMLButtonElement;
  readonly #title = h("span", { "data-testid": "period" });
  readonly #input: HTMLInputElement;

  /** chosen is called with a date of the chosen period, null for the current one. */
  constructor(
    private readonly format: Format,
    private readonly words: PickerWords,
    private readonly chosen: (date: string | null) => void,
  ) {
    this.#before = h("button", { type: "button", "data-testid": "period-before", "aria-label": words.previous, onclick: () => this.#choose(shift(this.#period, this.#date, -1)) }, "‹");
    this.#after = h("button", { type: "button", "data-testid": "period-after", "aria-label": words.next, onclick: () => this.#choose(shift(this.#period, this.#date, 1)) }, "›");
    this.#today = h("button", { type: "button", class: "today", "data-testid": "period-today", onclick: () => chosen(null) }, words.backToToday);
    this.#input = h("input", { type: "date", "data-testid": "period-date", "aria-label": words.pickDate, onchange: () => isDate(this.#input.value) && this.#choose(this.#input.value), onclick: () => this.#pick() });
    this.element = h("div", { class: "picker", role: "group", "aria-label": words.period }, this.#before, h("label", {}, this.#title, this.#input), this.#after, this.#today);
  }

  /** update shows the period of a date; `current` is a date of the current period. */
  update(period: Period, date: string, current: string): void {
    [this.#period, this.#date, this.#current] = [period, date, current];
    const isBounded = period === "day" || period === "week" || period === "month";
    this.element.classList.toggle("none", !isBounded);
    if (!isBounded) return;
    const isCurrent = begins(period, date) >= begins(period, current);
    say(this.#title, isCurrent ? this.words.current(period) : title(period, date, this.format, current));
    this.#title.title = title(period, date, this.format);
    this.#after.disabled = isCurrent;
    show(this.#today, !isCurrent);
    this.#input.max = current;
    this.#input.value = date;
  }

  // The field is under the title: a click anywhere in it opens the calendar.
  #pick(): void {
    try {
      this.#input.showPicker();
    } catch {
      // Some browsers open it only from a field that is seen; a date can be typed.
    }
  }

  #choose(date: string): void {
    this.chosen(begins(this.#period, date) >= begins(this.#period, this.#current) ? null : date);
  }
}
