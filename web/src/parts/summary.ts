// The line above a board: the player's rank, the number of players, and the board's time.
import type { Board } from "./board.ts";
import { h, say, show } from "./dom.ts";
import type { Format } from "./format.ts";
import { showChange } from "./row.ts";
import { words } from "./words.ts";

export class Summary {
  readonly element = h("div", { class: "summary", part: "summary" });
  readonly #rank = h("strong", { part: "my-rank", hidden: true });
  readonly #change = h("span", { class: "change" });
  readonly #players = h("span", { "data-testid": "players", part: "players" });
  readonly #updated = h("time", { "data-testid": "updated", part: "updated" });

  constructor(
    private readonly format: Format,
    ...beside: Node[]
  ) {
    this.element.append(this.#rank, this.#change, this.#players, this.#updated, ...beside);
  }

  update({ page, own, error }: Pick<Board, "page" | "own" | "error">, signedOut = ""): void {
    const { format } = this;
    const rank = own?.rank ?? null;
    // Only a rank is found as my-rank; a text in its place is no-rank.
    this.#rank.dataset.testid = rank === null ? "no-rank" : "my-rank";
    say(this.#rank, rank !== null ? words.rankIs(format.count(rank)) : own ? (page?.closed ? words.notThen : words.notYet) : signedOut);
    show(this.#rank, !!this.#rank.textContent);
    showChange(this.#change, rank === null ? null : own?.change, format);
    const total = page?.total ?? own?.total;
    say(this.#players, total !== undefined ? format.plural(total, words.players) : "");
    if (!page) return say(this.#updated, "");
    this.#updated.dateTime = page.updated_at;
    const time = format.time(new Date(page.updated_at));
    say(this.#updated, error || page.stale ? words.asOf(time) : page.closed ? words.closed : words.updated(time));
  }
}
