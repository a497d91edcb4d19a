// <framedle-rank api mode period date scope>: the player's standing in one line.
import type { Boards } from "./boards.ts";
import type { LeaderboardsError } from "../../../sdk/js/src/index.ts";
import { fill } from "../parts/dom.ts";
import type { Format } from "../parts/format.ts";
import { Summary } from "../parts/summary.ts";
import { words } from "../parts/words.ts";
import { BoardElement } from "./element.ts";

export class Rank extends BoardElement {
  static observedAttributes = ["api", "mode", "period", "date", "scope", "lang"];

  /** reload requests the standing now. */
  reload(): void {
    this.attributeChangedCallback();
  }

  protected build(client: Boards, format: Format): () => void {
    const stop = new AbortController();
    void this.#ask(client, new Summary(format), stop.signal);
    return () => stop.abort();
  }

  async #ask(client: Boards, summary: Summary, signal: AbortSignal): Promise<void> {
    this.root.append(summary.element);
    try {
      if (!(await this.who())) return summary.update({ page: null, own: null, error: null }, words.signedOut);
      const [period, date, scope] = ["period", "date", "scope"].map((name) => this.attribute(name) || undefined);
      const card = await client.card(this.attribute("mode"), "me", { period, date, scope, signal } as never);
      summary.update({ page: null, own: { ...card, change: card.rank_change }, error: null });
      this.tell("rank", card);
    } catch (error) {
      if (signal.aborted) return;
      fill(summary.element, words.unreachable);
      this.tell("error", error as LeaderboardsError);
    }
  }
}
