// The board's distribution, below the board. When the reader opens it, it is requested, and
// the script that draws it (chart.ts) is loaded.
import type { Distribution } from "../../../sdk/js/src/distribution.ts";
import type { Ask } from "../../../sdk/js/src/transport.ts";
import type { Board } from "../parts/board.ts";
import { fill, h, show } from "../parts/dom.ts";
import type { Format, Scale } from "../parts/format.ts";
import { reasonOf, words } from "./words.ts";

const age = 60_000; // ms
const buckets = 12; // as many as fit on a phone's screen

export class Spread {
  private readonly body = h("div");
  readonly element = h(
    "details",
    { class: "box", "data-testid": "spread", hidden: true, ontoggle: () => void this.load() },
    h("summary", {}, words.distribution),
    this.body,
  );
  private board: Board | null = null;
  private of = ""; // the board and the player of the distribution that is shown or requested
  private asked = ""; // `of`, and the player's score
  private askedAt = 0;

  constructor(
    private readonly ask: Ask,
    private readonly format: Format,
    private readonly scale: (mode: string) => Scale | null, // null: not known yet
  ) {}

  /** update takes the board. If the distribution is open and the board has changed, it is requested again. */
  update(board: Board): void {
    const { query } = board;
    this.board = board;
    show(this.element, !!query && !!board.page?.entries.length && !query.friends && query.scope !== "groups");
    void this.load();
  }

  private async load(): Promise<void> {
    const { element, body, board, format } = this;
    if (!element.open || element.hidden || !board?.query) return;
    const { query, me, own } = board;
    const { mode, period, date, scope } = query;
    const scale = this.scale(mode);
    if (!scale) return;
    const of = JSON.stringify([mode, period, date, scope, me]);
    const asked = JSON.stringify([of, own?.score]);
    // A live board changes all the time; its distribution is requested once a minute.
    if (this.asked === asked && performance.now() - this.askedAt < age) return;
    this.askedAt = performance.now();
    if (this.of !== of) fill(body);
    [this.of, this.asked] = [of, asked];
    try {
      const [{ draw }, answer] = await Promise.all([
        import("./chart.js"),
        this.ask<Distribution>(`/leaderboards/${encodeURIComponent(mode)}/distribution`, { period, date, scope, buckets }, { own: me !== null }),
      ]);
      if (this.asked === asked) draw(body, answer, format, scale);
    } catch (error) {
      if (this.asked !== asked) return; // what failed is requested again after a minute, too, or by the button
      const again = h("button", { type: "button", "data-testid": "spread-retry", onclick: () => ((this.asked = ""), void this.load()) }, words.retry);
      fill(body, h("p", { class: "message", role: "status" }, reasonOf(error)), again);
    }
  }
}
