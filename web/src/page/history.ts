// The player's last results in a mode, as a line. They are requested when the player opens it.
import type { Ask } from "../../../sdk/js/src/transport.ts";
import type { OwnResults } from "../../../sdk/js/src/types.ts";
import { fill, h, show } from "../parts/dom.ts";
import type { Format, Scale } from "../parts/format.ts";
import { reasonOf, words } from "./words.ts";

const shown = 14;

export class History {
  private readonly body = h("div");
  readonly element = h("details", { class: "box", "data-testid": "history", hidden: true, ontoggle: () => void this.load() }, h("summary", {}, words.history), this.body);
  private mode = "";
  private asked = "";

  constructor(
    private readonly ask: Ask,
    private readonly format: Format,
    private readonly scale: (mode: string) => Scale | null,
  ) {}

  /** update shows the results of a mode; "" shows none. */
  update(mode: string): void {
    this.mode = mode;
    show(this.element, !!mode);
    void this.load();
  }

  /** forget has the results requested again: there is a new one, or another player. */
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
      const [{ line }, { results }] = await Promise.all([import("./chart.js"), this.ask<OwnResults>("/me/results", { mode, limit: shown }, { own: true })]);
      if (this.asked !== mode) return;
      const scale = this.scale(mode);
      line(body, results.reverse().map((result) => {
        const [, text] = format.scores(result, scale?.decimals)[0]!;
        return { when: format.date(result.date, { day: "numeric", month: "short" }), value: result.values ? Object.values(result.values)[0]! : result.score, text };
      }), !!scale?.ascending);
    } catch (error) {
      if (this.asked !== mode) return;
      this.asked = "";
      fill(body, h("p", { class: "said", role: "status" }, reasonOf(error)), h("button", { type: "button", onclick: () => void this.load() }, words.retry));
    }
  }
}
