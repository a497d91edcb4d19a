// A player's card, in a <dialog>: the browser keeps the focus inside, closes it on Escape, and
// returns the focus.
import type { Boards } from "../widget/boards.ts";
import type { Card, LeaderboardsError } from "../../../sdk/js/src/index.ts";
import type { Query } from "./board.ts";
import { showDetails } from "./details.ts";
import { fill, h, say } from "./dom.ts";
import type { Format } from "./format.ts";
import { nameOf } from "./player.ts";
import { showChange, showFlag, showPicture } from "./row.ts";
import { words } from "./words.ts";

export { dialogs } from "./card.style.ts";

export type Known = Partial<Card> & { player: string };

export class CardDialog {
  readonly element: HTMLDialogElement;
  player: string | null = null;
  /** What is shown under the name. */
  readonly line = h("p");
  readonly #picture = h("span", { class: "picture big", "aria-hidden": "true" });
  readonly #name = h("bdi");
  readonly #flag = h("span", { class: "flag", role: "img" });
  readonly #facts = h("dl", { class: "tiles" });
  readonly #details = h("div");
  readonly #said = h("p", { role: "status" });
  readonly #actions = h("div");
  #more: [string, string][] = []; // facts beside those of the board
  #asking: AbortController | undefined;

  constructor(
    private readonly client: Boards,
    private readonly format: Format,
    private readonly pictures: boolean,
    closed: () => void = () => {},
  ) {
    const title = h("h2", { id: "card-title" }, this.#name, " ", this.#flag);
    const close = h("button", { type: "button", class: "close", "data-testid": "card-close", "aria-label": words.close, onclick: () => this.element.close() }, "✕");
    this.element = h(
      "dialog",
      { part: "card", "data-testid": "card", "aria-labelledby": "card-title", onclose: () => (this.#asking?.abort(), (this.player = null), closed()) },
      h("div", { class: "head" }, this.#picture, h("div", {}, title, this.line)), close, this.#facts, this.#details, this.#said, this.#actions,
    );
    // A click beside the card closes it. For Escape the browser does.
    this.element.addEventListener("click", (event) => event.target === this.element && this.element.close());
  }

  /** open shows at once what is known of a player, and the rest when the API has answered. */
  async open(known: Known, query: Query, isMe: boolean, line = "", more: [string, string][] = [], actions: Node[] = []): Promise<void> {
    this.player = known.player;
    this.#more = more;
    say(this.line, line);
    this.#show(known);
    fill(this.#details);
    fill(this.#actions, ...actions);
    say(this.#said, "");
    if (!this.element.open) this.element.showModal();
    this.#asking?.abort();
    const { signal } = (this.#asking = new AbortController());
    const { period, date, scope } = query;
    try {
      const card = await this.client.card(query.mode, isMe ? "me" : known.player, { period, date, scope, signal } as never);
      if (this.player !== known.player || signal.aborted) return;
      this.#show({ ...known, ...card });
      fill(this.#details, showDetails(card.details));
    } catch (error) {
      if (signal.aborted) return;
      say(this.#said, (error as LeaderboardsError).code === "not-on-board" ? words.noCard : words.unreachable);
    }
  }

  close(): void {
    if (this.element.open) this.element.close();
  }

  #show(card: Known): void {
    const { format } = this;
    showPicture(this.#picture, this.pictures ? card.picture : undefined, card);
    say(this.#name, nameOf(card));
    showFlag(this.#flag, card.country, format);
    const change = h("span", { class: "change" });
    showChange(change, card.rank_change || null, format);
    const { rank, total, top_percent: top } = card;
    const facts: [string, Node | string | false][] = [
      [words.rank, !!rank && h("span", { "data-testid": "card-rank" }, total ? words.of(format.count(rank), format.count(total)) : format.count(rank), " ", change)],
      ...(typeof card.score === "number" ? format.scores(card).map(([name, text]): [string, string] => [name || words.score, text]) : []),
      [words.percentile, typeof top === "number" && words.top(format.percent(Math.max(top, 0.1)))],
      ...this.#more,
    ];
    fill(this.#facts, ...facts.map(([name, fact]) => fact && h("div", {}, h("dt", {}, name), h("dd", {}, fact))));
  }
}
