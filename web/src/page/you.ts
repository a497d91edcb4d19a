// The player's standing on the board that is shown: rank, the next goal, streak and level; and
// the line that says how many play and how old the board is.
import type { Me } from "../../../sdk/js/src/index.ts";
import type { Board } from "../parts/board.ts";
import { fill, h, say, show } from "../parts/dom.ts";
import type { Decimals, Format } from "../parts/format.ts";
import { showChange } from "../parts/row.ts";
import { words } from "./words.ts";

/** Stand is the line beside the choices of a board. */
export class Stand {
  private readonly live = h("span", { class: "live", "data-testid": "live", hidden: true }, words.live);
  private readonly players = h("span", { "data-testid": "players" });
  private readonly updated = h("time", { "data-testid": "updated" });
  readonly element = h("div", { class: "stand" }, this.live, this.players, this.updated);

  constructor(private readonly format: Format) {}

  update({ page, own, error, streaming }: Board): void {
    const { format } = this;
    const total = page?.total ?? own?.total;
    say(this.players, total !== undefined ? format.plural(total, words.players) : "");
    const isLive = streaming && !error && navigator.onLine;
    show(this.live, isLive);
    if (!page) return say(this.updated, "");
    this.updated.dateTime = page.updated_at;
    const time = format.time(new Date(page.updated_at));
    say(this.updated, error || page.stale ? words.asOf(time) : page.closed ? words.closed : words.updated(time));
    this.updated.classList.toggle("unseen", !error && !page.stale && !page.closed);
  }
}

export interface YouOptions {
  decimals: (mode: string) => Decimals;
  signIn: () => (() => void) | undefined;
  find: () => void;
  share: HTMLElement;
}

export class You {
  private readonly label = h("p", { class: "label" });
  private readonly rank = h("strong");
  private readonly change = h("span", { class: "change" });
  private readonly next = h("p", { class: "next", "data-testid": "next" });
  private readonly tiles = h("dl", { class: "tiles" });
  private readonly meter = h("div", { class: "meter", role: "img" }, h("span"));
  private readonly find: HTMLElement;
  private readonly sign: HTMLElement;
  readonly element: HTMLElement;
  me: Me | null = null;
  rating: number | null = null;

  constructor(
    private readonly format: Format,
    private readonly o: YouOptions,
  ) {
    this.find = h("button", { type: "button", "data-testid": "find-place", onclick: o.find }, words.findMe);
    this.sign = h("button", { type: "button", class: "primary", "data-testid": "go-sign-in", onclick: () => o.signIn()?.() }, words.signIn);
    this.element = h(
      "section",
      { class: "box mine", "aria-label": words.you, "data-testid": "mine" },
      this.label, h("p", { class: "place" }, this.rank, this.change), this.next, this.tiles, this.meter, h("div", { class: "rowish" }, o.share, this.find, this.sign),
    );
  }

  update(board: Board, signedOut = ""): void {
    const { format } = this;
    const { page, own, query } = board;
    const rank = own?.rank ?? null;
    const isSignedOut = board.me === null;
    show(this.element, isSignedOut ? !!signedOut : !board.error || !!page || !!own);
    say(this.label, words.yourRank[query?.date ? "past" : (query?.period ?? "day")]);
    // Only a rank is found as my-rank; a text in its place is no-rank.
    this.rank.dataset.testid = rank === null ? "no-rank" : "my-rank";
    if (rank !== null) fill(this.rank, h("span", { class: "unseen" }, words.rank + " "), words.rankSign(format.count(rank)));
    else say(this.rank, own ? (page?.closed ? words.notThen : words.notYet) : signedOut);
    show(this.rank, !!this.rank.textContent);
    showChange(this.change, rank === null ? null : own?.change, format);
    this.goal(board);
    show(this.sign, isSignedOut && !!this.o.signIn());
    show(this.find, rank !== null && !!page && !query?.friends && !page.entries.some((e) => e.player === own!.player));
    this.facts();
  }

  // goal says how far the next better score is, as the rows that are there have it.
  private goal({ page, own, me }: Board): void {
    const { format } = this;
    if (!page || !own?.rank || own.score === null) return fill(this.next, me !== null && !!page && !page.closed && words.playToRank);
    const { rank, score } = own;
    const total = Math.max(page.total, rank);
    const rows = [...page.entries, ...(own.around ?? [])].filter((e) => e.player !== own.player && e.rank < rank && e.score !== score);
    const ahead = rows.reduce<(typeof rows)[number] | null>((best, e) => (!best || e.rank > best.rank || (e.rank === best.rank && Math.abs(e.score - score) < Math.abs(best.score - score)) ? e : best), null);
    const adjacent = ahead && (rank - ahead.rank <= 1 || own.around || page.entries.some((e) => e.player === own.player));
    const decimals = this.o.decimals(page.mode);
    const gap = ahead && adjacent && !own.values && !page.closed ? Math.abs(ahead.score - score) : 0;
    const amount = gap && (page.mode === "xp" ? `${format.count(gap)} ${words.xp}` : decimals ? format.scores({ score: gap }, decimals)[0]![1] : format.plural(gap, words.points));
    fill(
      this.next,
      words.ofPlayers(format.count(total), words.top(format.percent(Math.max((100 * rank) / total, 0.1)))),
      rank === 1 && !page.closed ? h("strong", {}, words.first) : !!amount && h("strong", {}, words.toNext(amount, format.count(ahead!.rank))),
    );
  }

  private facts(): void {
    const { format, me } = this;
    const facts: [string, string | null | undefined | false][] = [
      [words.streak, me?.streak && `🔥 ${format.count(me.streak.current)}`],
      [words.level, me?.level !== undefined && format.count(me.level)],
      [words.rating, this.rating !== null && format.count(this.rating)],
    ];
    const shown = facts.filter(([, fact]) => !!fact);
    show(this.tiles, shown.length > 0);
    fill(this.tiles, ...shown.map(([name, fact]) => h("div", {}, h("dt", {}, name), h("dd", {}, fact as string))));
    const { xp, level, next_level_xp: next } = me ?? {};
    const hasLevel = xp !== undefined && level !== undefined && next !== undefined;
    show(this.meter, hasLevel);
    if (!hasLevel) return;
    const begins = (next * level * level) / ((level + 1) * (level + 1)); // level n begins at base·n² XP
    (this.meter.firstChild as HTMLElement).style.inlineSize = `${Math.max(0, Math.min(100, (100 * (xp - begins)) / (next - begins)))}%`;
    this.meter.setAttribute("aria-label", words.toLevel(format.count(next - xp), format.count(level + 1)));
    this.meter.title = words.toLevel(format.count(next - xp), format.count(level + 1));
  }
}
