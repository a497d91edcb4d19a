// The player's ranks of the last closed days in a mode, as a line. They are requested when the
// player opens it.
import type { Ask } from "../../../sdk/js/src/transport.ts";
import type { OwnRanks } from "../../../sdk/js/src/types.ts";
import { fill, h, show } from "../parts/dom.ts";
import type { Format, Scale } from "../parts/format.ts";
import { reasonOf, words } from "./words.ts";

const shown = 14;

export class Ranks {
  private readonly body = h("div");
  readonly element = h("details", { class: "box", "data-testid": "ranks", hidden: true, ontoggle: () => void this.load().then(() => this.element.open && this.element.scrollIntoView({ block: "nearest" })) }, h("summary", {}, words.ranks), this.body);
  private mode = "";
  private asked = "";

  constructor(
    private readonly ask: Ask,
    private readonly format: Format,
    private readonly scale: (mode: string) => Scale | null,
  ) {}

  /** update shows the ranks in a mode; "" shows none. */
  update(mode: string): void {
    this.mode = mode;
    show(this.element, !!mode);
    void this.load();
  }

  /** forget has the ranks requested again: a day is over, or there is another player. */
  forget(): void {
    this.asked = "";
    fill(this.body);
    void this.load();
  }

  private async load(): Promise<void> {
    const { mode, element, body, format } = this;
    if (!mode || !element.open || this.asked === mode) return;
    this.asked = mode;
    try {
      const [{ line }, { ranks }] = await Promise.all([import("./chart.js"), this.ask<OwnRanks>("/me/ranks", { mode, limit: shown }, { own: true })]);
      if (this.asked !== mode) return;
      const decimals = this.scale(mode)?.decimals;
      line(body, ranks.reverse().map((day) => ({
        when: format.date(day.date, { day: "numeric", month: "short" }), rank: day.rank, score: format.scores(day, decimals)[0]![1],
      })), format);
    } catch (error) {
      if (this.asked !== mode) return;
      this.asked = "";
      fill(body, h("p", { class: "said", role: "status" }, reasonOf(error)), h("button", { type: "button", onclick: () => void this.load() }, words.retry));
    }
  }
}
