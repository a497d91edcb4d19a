// <framedle-leaderboard api mode period date scope limit live refresh pictures label>
import type { Client } from "../../../sdk/js/src/client.ts";
import type { Result } from "../../../sdk/js/src/index.ts";
import type { Format } from "../parts/format.ts";
import { Panel } from "../parts/panel.ts";
import type { Period } from "../parts/periods.ts";
import { BoardElement } from "./element.ts";

export class Leaderboard extends BoardElement {
  static observedAttributes = ["api", "mode", "period", "date", "scope", "limit", "live", "refresh", "pictures", "label", "lang"];
  #panel: Panel | undefined;

  /** played puts the player's row from the answer to a submission into the board, without a request. */
  played(answer: Result): void {
    this.#panel?.board.played(answer);
  }

  /** reload requests the board now. */
  reload(): void {
    this.#panel?.board.retry();
  }

  protected build(client: Client, format: Format): () => void {
    const mode = this.attribute("mode");
    const scope = this.attribute("scope", "global");
    const hasOnePeriod = mode === "xp" || mode === "duels";
    const label = this.attribute("label", mode.replaceAll("_", " "));
    let seen: unknown;
    const panel = (this.#panel = new Panel({
      client,
      format,
      who: this.getToken && this.who,
      pictures: this.attribute("pictures") !== "none",
      caption: () => label,
      live: this.hasAttribute("live"),
      refresh: Number(this.attribute("refresh")) || undefined,
      chosen: (entry) => !this.tell("player", entry),
      shown: ({ board }) => {
        if (board.error && board.error !== seen) this.tell("error", board.error);
        else if (!board.error && board.page && board.page !== seen) this.tell("board", board.page);
        seen = board.error ?? board.page;
      },
    }));
    this.root.append(panel.element);
    panel.board.show({
      mode,
      period: hasOnePeriod ? "alltime" : (this.attribute("period", "day") as Period),
      date: this.attribute("date") || undefined,
      ...(scope === "friends" ? { friends: true } : scope === "global" ? {} : { scope }),
      limit: Math.min(Math.max(Math.trunc(Number(this.attribute("limit"))) || 10, 1), 200),
    });
    return () => panel.board.close();
  }
}
