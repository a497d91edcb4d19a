// How everybody on the board did, below it: asked for when somebody opens it. What
// draws it is a script of its own (chart.ts), loaded then.
import type { LeaderboardsError } from "../../../sdk/js/src/index.ts";
import type { Distribution } from "../../../sdk/js/src/distribution.ts";
import type { Ask } from "../../../sdk/js/src/transport.ts";
import type { Board } from "../parts/board.ts";
import { fill, h, show } from "../parts/dom.ts";
import type { Format, Scale } from "../parts/format.ts";
import { words } from "../parts/words.ts";

const buckets = 12; // as many as are seen at once on a phone

export class Spread {
  private readonly body = h("div");
  readonly element = h(
    "details",
    { class: "lists", "data-testid": "spread", hidden: true, ontoggle: () => void this.load() },
    h("summary", {}, "How everybody did"),
    this.body,
  );
  private board: Board | null = null;
  private of = ""; // which board is shown, or about to be, and to whom
  private asked = ""; // and as it was when

  constructor(
    private readonly ask: Ask,
    private readonly format: Format,
    private readonly scale: (mode: string) => Scale | null, // null: not known yet
  ) {}

  /** update follows the board: what is open is asked for again when the board has changed. */
  update(board: Board): void {
    const { query } = board;
    this.board = board;
    show(this.element, !!query && !!board.page && !query.friends && query.scope !== "groups");
    void this.load();
  }

  private async load(): Promise<void> {
    const { element, body, board, format } = this;
    if (!element.open || element.hidden || !board?.query) return;
    const { query, me, own, page } = board;
    const { mode, period, date, scope } = query;
    const scale = this.scale(mode);
    if (!scale) return;
    const of = JSON.stringify([mode, period, date, scope, me]);
    const asked = JSON.stringify([of, page?.updated_at, own?.score]);
    if (this.asked === asked) return;
    if (this.of !== of) fill(body);
    [this.of, this.asked] = [of, asked];
    try {
      const [{ draw }, answer] = await Promise.all([
        import("./chart.js"),
        this.ask<Distribution>(`/leaderboards/${encodeURIComponent(mode)}/distribution`, { period, date, scope, buckets }, { own: me !== null }),
      ]);
      if (this.asked === asked) draw(body, answer, format, scale);
    } catch (error) {
      if (this.asked !== asked) return;
      this.asked = "";
      const again = h("button", { type: "button", "data-testid": "spread-retry", onclick: () => void this.load() }, words.retry);
      fill(body, h("p", { class: "message", role: "status" }, (error as LeaderboardsError).detail || words.unreachable), again);
    }
  }
}
