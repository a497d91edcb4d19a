// <framedle-rank api mode period date scope>: where the player stands, in a line.
import type { Client } from "../../../sdk/js/src/client.ts";
import type { Card, LeaderboardsError } from "../../../sdk/js/src/index.ts";
import { fill, h } from "../parts/dom.ts";
import type { Format } from "../parts/format.ts";
import { showChange } from "../parts/row.ts";
import { words } from "../parts/words.ts";
import { BoardElement } from "./element.ts";

export class Rank extends BoardElement {
  static observedAttributes = ["api", "mode", "period", "date", "scope", "lang"];

  /** reload asks again now. */
  reload(): void {
    this.attributeChangedCallback();
  }

  protected build(client: Client, format: Format): () => void {
    const line = h("div", { class: "summary", part: "rank", role: "status" });
    this.root.append(line);
    const stop = new AbortController();
    void this.#ask(client, format, line, stop.signal);
    return () => stop.abort();
  }

  async #ask(client: Client, format: Format, line: HTMLElement, signal: AbortSignal): Promise<void> {
    try {
      if (!this.getToken || !(await this.who())) {
        fill(line, h("span", { "data-testid": "no-rank", part: "signed-out" }, words.signedOut));
        return;
      }
      const [period, date, scope] = ["period", "date", "scope"].map((name) => this.attribute(name) || undefined);
      const card = await client.card(this.attribute("mode"), "me", { period, date, scope, signal } as never);
      if (signal.aborted) return;
      this.#draw(card, format, line);
      this.tell("rank", card);
    } catch (error) {
      if (signal.aborted) return;
      fill(line, h("span", { "data-testid": "error", part: "error" }, words.unreachable));
      this.tell("error", error as LeaderboardsError);
    }
  }

  #draw({ rank, rank_change, total }: Card, format: Format, line: HTMLElement): void {
    const change = h("span", { class: "change" });
    showChange(change, rank_change, format);
    fill(
      line,
      rank === null
        ? h("strong", { "data-testid": "no-rank", part: "my-rank" }, words.notYet)
        : h("strong", { "data-testid": "my-rank", part: "my-rank" }, words.rankIs(format.rank(rank))),
      change,
      h("span", { "data-testid": "players", part: "players" }, format.plural(total, ...words.players)),
    );
  }
}
