// <framedle-leaderboard api mode period date scope limit live refresh pictures label heading compact podium>
import type { Boards } from "./boards.ts";
import type { Entry, Result } from "../../../sdk/js/src/index.ts";
import type { CardDialog } from "../parts/card.ts";
import { h } from "../parts/dom.ts";
import type { Format } from "../parts/format.ts";
import { follow } from "../parts/follow.ts";
import { Panel } from "../parts/panel.ts";
import type { Period } from "../parts/periods.ts";
import { sheet } from "../parts/styles.ts";
import type { ClientOptions } from "../../../sdk/js/src/transport.ts";
import { BoardElement } from "./element.ts";

export class Leaderboard extends BoardElement {
  static observedAttributes = ["api", "mode", "period", "date", "scope", "limit", "live", "refresh", "pictures", "label", "heading", "compact", "podium", "lang"];
  #panel: Panel | undefined;

  /** played puts the player's row from the answer to a submission into the board, without a request. */
  played(answer: Result): void {
    this.#panel?.board.played(answer);
  }

  /** reload requests the board now. */
  reload(): void {
    this.#panel?.board.retry();
  }

  protected build(client: Boards, format: Format, options: ClientOptions): () => void {
    const mode = this.attribute("mode");
    const scope = this.attribute("scope", "global");
    const hasOnePeriod = mode === "xp" || mode === "duels";
    const label = this.attribute("label", mode.replaceAll("_", " "));
    const pictures = this.attribute("pictures") !== "none";
    const isLive = this.hasAttribute("live");
    const heading = this.attribute("heading");
    let seen: unknown;
    let card: CardDialog | undefined;
    const open = async (entry: Entry) => {
      if (!this.tell("player", entry)) return;
      const { query, me } = panel.board;
      const { CardDialog, dialogs } = await import("../parts/card.js");
      if (!card) {
        this.root.adoptedStyleSheets.push(sheet(dialogs));
        panel.element.append((card = new CardDialog(client, format, pictures)).element);
      }
      void card.open(entry, query!, entry.player === me);
    };
    const panel = (this.#panel = new Panel({
      client,
      format,
      who: this.getToken && this.who,
      pictures,
      podium: this.hasAttribute("podium"),
      caption: () => label,
      neighbours: true,
      stream: isLive ? follow(options) : undefined,
      refresh: isLive ? 5 : Number(this.attribute("refresh")) || undefined,
      find: () => void panel.findMe(),
      chosen: (entry) => void open(entry),
      shown: ({ board }) => {
        if (board.error && board.error !== seen) this.tell("error", board.error);
        else if (!board.error && board.page && board.page !== seen) this.tell("board", board.page);
        seen = board.error ?? board.page;
      },
    }));
    if (this.hasAttribute("podium")) void import("../parts/podium.js").then(({ dress }) => dress(this.root));
    if (heading) this.root.append(h("h2", { part: "heading" }, heading));
    this.root.append(panel.element);
    panel.board.show({
      mode,
      period: hasOnePeriod ? "alltime" : (this.attribute("period", "day") as Period),
      date: this.attribute("date") || undefined,
      ...(scope === "friends" ? { friends: true } : scope === "global" ? {} : { scope }),
      limit: Math.min(Math.max(Math.trunc(Number(this.attribute("limit"))) || 10, 1), 200),
    });
    return () => panel.close();
  }
}
