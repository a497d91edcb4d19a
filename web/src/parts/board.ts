// The data of the board that is shown. A board is requested once, kept while another one is
// shown, and requested again when it is old and the page is visible. The player's new scores
// are put in without a request.
import type { Boards } from "../widget/boards.ts";
import type { Card, Entry, FriendsBoard, LeaderboardsError, Page, Result } from "../../../sdk/js/src/index.ts";
import { merge } from "../../../sdk/js/src/own.ts";
import type { Period } from "./periods.ts";

/** Query selects a board, and says how many rows a request asks for. */
export interface Query {
  mode: string;
  period: Period;
  date?: string | undefined; // any date of the period; without it the current period
  scope?: string | undefined; // such as "country:BR" or "group:x"; without it everybody
  friends?: boolean | undefined; // only the player and friends
  limit: number;
}

/** Own is the player's standing on a board; rank is null if the player is not on it. */
export interface Own {
  player: string;
  rank: number | null;
  score: number | null;
  values?: Entry["values"] | undefined;
  total: number;
  change?: number | null | undefined; // ranks gained since the period before; undefined: not requested yet
  details?: unknown;
  name?: string | undefined;
  picture?: string | undefined;
  country?: string | undefined;
  around?: Entry[] | undefined; // the neighbours, if they were requested
}

/** Kept is a board with all rows that were requested so far. */
interface Kept {
  query: Query;
  page: Page; // entries are all rows so far; next_cursor leads to the rows after them
  at: number; // when it was read, by performance.now(); -Infinity: it has to be read again
}

export interface BoardOptions {
  client: Boards;
  /** Returns the player's id; null if the player is signed out. */
  who?: (() => Promise<string | null>) | undefined;
  changed: () => void;
  /** Seconds after which a visible board is requested again: 60 by default, 5 at least. */
  refresh?: number | undefined;
  /**
   * Reports whether the API read a page after its request was sent. Any other page may come
   * from a cache; if the player is not on it, a card has to be requested to be sure.
   */
  isFresh?: ((page: Page) => boolean) | undefined;
  /**
   * Reports whether it is known without a request that the player is not on a board. The player's card is then not
   * requested.
   */
  isAbsent?: ((query: Query) => Promise<boolean>) | undefined;
  /** Streams the changes of the first page, so that a current board is shown as it moves. See streamed. */
  stream?: ((query: Query, signal: AbortSignal) => AsyncGenerator<Page, boolean | null, undefined>) | undefined;
  /** Request the player's neighbours if the rows lack the player. */
  neighbours?: boolean | undefined;
  /** Returns the index of the first visible row: rows from there on are requested again. */
  firstInSight?: (() => number) | undefined;
}

type Named = Pick<Own, "player" | "name" | "picture" | "country">;

const streamAfter = 1000; // ms for which a board is shown before its changes are streamed: who leafs through boards needs no stream

const lag = 10_000; // ms: the greatest age of a page of a longer period, with time to spare

const pauses = [5, 15, 30, 60, 120, 300]; // seconds, by the number of failures in a row

export class Board {
  query: Query | null = null;
  page: Page | null = null;
  own: Own | null = null; // null: signed out, or not known yet
  me: string | null = null;
  error: LeaderboardsError | null = null;
  retryAt = 0; // when the board requests again after a failure, by Date.now(); 0: it does not
  loading = false;
  streaming = false; // the board is shown as it moves
  submitting = false; // the answer to a submission, which is on its way, says where the player stands

  #kept = new Map<string, Kept>();
  #standings = new Map<string, { own: Own; at: number }>();
  #names: Named | null = null;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking: AbortController | null = null;
  #watching: AbortController | null = null;
  #hasStreams = true;

  constructor(private readonly o: BoardOptions) {
    document.addEventListener("visibilitychange", this.#awake);
    addEventListener("online", this.#online);
  }

  /** close aborts requests and timers, and removes the listeners. */
  close(): void {
    this.#stop();
    document.removeEventListener("visibilitychange", this.#awake);
    removeEventListener("online", this.#online);
  }

  /** show switches to another board; null shows none. */
  show(query: Query | null): void {
    this.#stop();
    this.query = query;
    this.error = null;
    this.#failures = 0;
    this.#turn();
    const kept = this.#shown;
    if (query && (!kept || this.#dueIn(kept) <= 0)) void this.#ask();
    else {
      this.#schedule();
      this.#watch();
    }
    this.o.changed();
  }

  /** surround requests up to `range` neighbours of the player on each side. */
  async surround(range: number): Promise<void> {
    const { query, page, own } = this;
    if (!query || !page || !own?.rank || query.friends) return;
    await this.#asked((signal) => this.#askAround(query, page, range, signal));
  }

  /** retry requests the board now, unless a request is under way. */
  retry(): void {
    if (this.query && !this.#asking) void this.#ask();
  }

  /** more requests the rows after the last one. */
  async more(): Promise<void> {
    const { query, page } = this;
    if (!query || !page?.next_cursor || this.#asking) return;
    await this.#asked(async (signal) => {
      const next = await this.o.client.leaderboard(query.mode, { ...asParameters(query), cursor: page.next_cursor, signal });
      this.#keep(query, { ...next, entries: without(page.entries, next.entries).concat(next.entries) }, this.#shown?.at);
    });
  }

  /** forget drops everything known of the player before, and shows the boards to the one who is signed in now. */
  forget(me: string | null): void {
    this.#standings.clear();
    this.me = me;
    for (const [key, kept] of this.#kept) {
      if (kept.query.friends) this.#kept.delete(key);
      kept.page = { ...kept.page, entries: kept.page.entries.map(({ me: _, ...entry }) => entry) };
    }
    this.#turn();
    if (me && this.page && !this.#asking) void this.#asked((signal) => this.#findOwn(this.query!, signal));
    this.o.changed();
  }

  /** forgetFriends marks the boards of friends as old, since the friends on them have changed. */
  forgetFriends(): void {
    this.#outdate((query) => !!query.friends);
    this.#schedule();
  }

  /** outdate marks every board of a mode as old: each is requested again when it is next shown. */
  outdate(mode: string): void {
    for (const [key] of this.#standings) if (key.startsWith(mode + " ")) this.#standings.delete(key);
    this.#outdate((query) => query.mode === mode);
    this.#schedule();
  }

  /**
   * played takes the answer to a submission. It puts the player's row into the boards of its day and week, and keeps
   * the board of friends if the answer has one.
   */
  played(answer: Result, details?: unknown): void {
    const { mode, date, status, player, rank, score, values, total = 1, view } = answer;
    const friends = view?.friends as FriendsBoard | null | undefined;
    const rows = [...(view?.around?.entries ?? []), ...(friends?.entries ?? [])];
    this.#name(rows.find((e) => e.player === player) ?? { player });
    this.outdate(mode);
    const now = performance.now();
    for (const kept of [...this.#kept.values()]) {
      const { page, query } = kept;
      if (page.mode !== mode || page.period !== "day" || page.key !== date || page.scope !== "global" || query.friends || !rank) continue;
      this.#tell(kept, { player, rank, score, values }, total, status === "accepted");
      kept.at = now;
      // The answer's board of friends is of the same day.
      if (friends) this.#kept.set(keyOf({ ...query, friends: true }), { query: { ...query, friends: true }, page: friends as Page, at: now });
    }
    this.#standings.set(boardOf(mode, "day", date), { own: { ...this.#names, player, score, values, rank: rank ?? null, total, details }, at: now });
    const week = view?.week as Card | null | undefined;
    if (week) this.learn(week); // the other rows of the week's board are as old as before
    this.me = player;
    this.#turn();
    this.#schedule();
    this.o.changed();
  }

  /** learn takes a card of the player, and puts the player's row into the kept boards. */
  learn(card: Card): void {
    const { mode, period, key, scope, player, rank, score, values, total, rank_change: change, details } = card;
    this.#name(card);
    for (const kept of this.#kept.values()) {
      const { page } = kept;
      const isIt = page.mode === mode && page.period === period && page.key === key && page.scope === scope && !kept.query.friends;
      if (isIt && rank !== null && score !== null) this.#tell(kept, { player, rank, score, values }, total, !page.entries.some((e) => e.player === player));
    }
    this.#standings.set(boardOf(card.mode, card.period, card.key, card.scope), {
      own: { ...this.#names, player, rank, score, values, total, change: change ?? null, details },
      at: performance.now(),
    });
  }

  #outdate(which: (query: Query) => boolean): void {
    for (const kept of this.#kept.values()) if (which(kept.query)) kept.at = -Infinity;
  }

  get #shown(): Kept | null | undefined {
    return this.query && this.#kept.get(keyOf(this.query));
  }

  // #turn sets page and own to the kept state of the current board.
  #turn(): void {
    this.page = this.#shown?.page ?? null;
    this.own = this.page && this.#ownOn(this.page);
  }

  // #tell puts the player's row into its place on a board. merge does so only on global boards, so
  // #tell passes any board as one: the order of rows is the same for other scopes.
  #tell(kept: Kept, entry: Entry, total: number, isNew: boolean): void {
    const { page } = kept;
    const standings = { [page.mode + page.period + page.key]: { entry: { ...entry, me: true as const }, total, isNew } };
    const told = { ...merge({ ...page, scope: "global" }, { at: Infinity, until: Infinity, standings }), scope: page.scope };
    kept.page = this.#named(told);
    if (kept === this.#shown) this.page = kept.page;
  }

  // #name remembers the player's name, picture and country from any answer that has them: the
  // answer to a submission has none without its view.
  #name({ player, name, picture, country }: Named): void {
    const known = this.#names?.player === player ? this.#names : undefined;
    this.#names = { player, name: name ?? known?.name, picture: picture ?? known?.picture, country: country ?? known?.country };
  }

  #named(page: Page): Page {
    const names = this.#names;
    if (!names) return page;
    return { ...page, entries: page.entries.map((e) => (e.player === names.player && !e.name ? ({ ...names, ...e } as Entry) : e)) };
  }

  readonly #awake = () => this.#schedule();

  readonly #online = () => {
    if (this.error) this.retry();
  };

  #stop(): void {
    clearTimeout(this.#timer);
    this.#watching?.abort();
    this.#watching = null;
    this.streaming = false;
    this.#asking?.abort();
    this.#asking = null;
    this.loading = false;
  }

  get #every(): number {
    return Math.max(5, this.o.refresh ?? 60) * 1000;
  }

  #dueIn(kept: Kept): number {
    return kept.page.closed || this.streaming ? Infinity : kept.at + this.#every - performance.now();
  }

  // #schedule sets the timer of the next request. It sets none while the page is hidden; when the
  // page becomes visible, #awake calls it again.
  #schedule(): void {
    clearTimeout(this.#timer);
    if (!this.query || this.#asking || document.hidden) return;
    const kept = this.#shown;
    const wait = this.error ? this.retryAt - Date.now() : kept ? this.#dueIn(kept) : 0;
    if (wait !== Infinity && (!this.error || this.retryAt)) this.#timer = setTimeout(() => this.retry(), Math.max(0, wait));
  }

  async #ask(): Promise<void> {
    const query = this.query!;
    await this.#asked(async (signal) => {
      const { client } = this.o;
      const { period, date } = query;
      if (query.friends) {
        const page = await client.friendsLeaderboard(query.mode, { period, date, signal });
        this.#keep(query, page as Page);
      } else {
        await this.#askRows(query, signal);
      }
      await this.#findOwn(query, signal);
    });
  }

  // #askRows requests the rows in sight again, not all rows that are kept.
  async #askRows(query: Query, signal: AbortSignal): Promise<void> {
    const rows = this.#shown?.page.entries ?? [];
    const { limit } = query;
    const first = Math.floor((this.o.firstInSight?.() ?? 0) / limit) * limit;
    const offset = rows.length > limit && first < rows.length ? first : 0;
    const page = await this.o.client.leaderboard(query.mode, { ...asParameters(query), ...(offset ? { offset } : {}), signal });
    if (rows.length <= limit || page.key !== this.page?.key) return this.#keep(query, page);
    const before = rows.slice(0, offset);
    const after = page.next_cursor ? rows.slice(offset + limit) : [];
    this.#keep(query, {
      ...page,
      entries: [...without(before, page.entries), ...page.entries, ...without(after, page.entries)],
      next_cursor: after.length ? this.page.next_cursor : page.next_cursor,
    } as Page);
  }

  // #watch streams the changes of the board that is shown, if it is current, until another one is shown.
  #watch(): void {
    const { query, o } = this;
    if (!o.stream || !query || query.date || query.friends || query.scope === "groups" || this.#watching || !this.#hasStreams) return;
    const { signal } = (this.#watching = new AbortController());
    const timer = setTimeout(() => void this.#stream(query, signal), streamAfter);
    signal.addEventListener("abort", () => clearTimeout(timer));
  }

  async #stream(query: Query, signal: AbortSignal): Promise<void> {
    try {
      const pages = this.o.stream!(query, signal);
      for (;;) {
        const { value: page, done } = await pages.next();
        if (signal.aborted) return;
        if (done) {
          this.#hasStreams = page !== null;
          break;
        }
        this.streaming = true;
        this.error = null;
        const whole = this.#withMore(page, query.limit);
        this.#keep(query, whole);
        if (whole.total > whole.entries.length && !whole.next_cursor) this.retry(); // it has grown beyond its first page
        if (!this.#asking && !this.submitting) await this.#findOwn(query, signal).catch(() => {}); // the rows are there all the same
        this.o.changed();
      }
    } catch {
      // The board is requested again, as it is without a stream.
    }
    if (signal.aborted) return;
    this.streaming = false;
    this.#watching = null;
    this.#schedule();
    this.o.changed();
  }

  // #withMore adds to a new first page the rows after it that were requested before, and the cursor
  // of the rows after those, which streams do not have.
  #withMore(page: Page, limit: number): Page {
    const rows = this.#shown?.page;
    if (!rows || rows.key !== page.key || page.total <= page.entries.length) return page;
    return { ...page, entries: page.entries.concat(without(rows.entries.slice(limit), page.entries)), next_cursor: rows.next_cursor } as Page;
  }

  async #asked(ask: (signal: AbortSignal) => Promise<void>): Promise<void> {
    clearTimeout(this.#timer);
    this.#asking?.abort();
    const asking = (this.#asking = new AbortController());
    this.loading = true;
    this.o.changed();
    try {
      await ask(asking.signal);
      if (this.#asking !== asking) return;
      this.error = null;
      this.#failures = 0;
    } catch (error) {
      if (this.#asking !== asking) return; // another request or board has replaced it
      const { status, retryAfter } = error as LeaderboardsError;
      const passes = !status || status === 408 || status === 429 || status >= 500;
      const pause = pauses[Math.min(this.#failures++, pauses.length - 1)]!;
      this.#fail(error as LeaderboardsError, passes ? Math.max(pause, retryAfter ?? 0) : Infinity);
    }
    this.#asking = null;
    this.loading = false;
    this.#schedule();
    if (!this.error) this.#watch();
    this.o.changed();
  }

  #fail(error: LeaderboardsError, pause: number): void {
    this.error = error;
    this.retryAt = pause === Infinity ? 0 : Date.now() + pause * 1000;
    this.o.changed();
  }

  // A page may be older than what is known of the player's standing, which is exact: then the
  // player's row comes from there.
  #keep(query: Query, page: Page, at = performance.now()): void {
    const row = page.entries.find((e) => e.player === this.me && e.name);
    if (row) this.#name(row);
    this.page = this.#named(page);
    const kept = { query, page: this.page, at };
    this.#kept.set(keyOf(query), kept);
    const known = query.friends ? undefined : this.#standings.get(boardOf(page.mode, page.period, page.key, page.scope));
    if (known?.own.rank && at - known.at < lag) {
      const { player, rank, score, values, total } = known.own;
      const old = page.entries.find((e) => e.player === player);
      if (old?.score !== score) this.#tell(kept, { player, rank, score: score!, values }, total, false);
    }
    this.own = this.#ownOn(this.page);
  }

  // #ownOn is the player's standing on a board, from the rows or from a card, whichever is
  // newer. On a board of friends only the rows count: a card has the rank among everybody.
  #ownOn(page: Page): Own | null {
    const { me, query } = this;
    if (!me) return null;
    const known = query?.friends ? undefined : this.#standings.get(boardOf(page.mode, page.period, page.key, page.scope));
    const row = page.entries.find((e) => e.player === me || e.me);
    const read = this.#shown?.at ?? 0;
    const total = Math.max(page.total, known?.own.total ?? 0);
    if (row && !(known && known.at > read)) return { change: known?.own.change, details: known?.own.details, ...row, total: Math.max(total, row.rank) };
    if (known) return { ...known.own, total };
    return page.next_cursor ? null : { player: me, rank: null, score: null, total };
  }

  // #findOwn finds the player's standing. It requests a card if the rows lack the player, and
  // once for the change of rank; not if a submission has just reported the standing.
  async #findOwn(query: Query, signal: AbortSignal): Promise<void> {
    this.me = (await this.o.who?.()) ?? null;
    const { page, me } = this;
    if (!page || !me) return;
    if (!query.friends && query.scope !== "groups" && this.#needsCard(page, me)) {
      const { period, date, scope } = query;
      const isListed = page.entries.some((e) => e.player === me);
      if (isListed) this.own = this.#ownOn(page);
      this.o.changed(); // show the rows before the card has come
      if (!isListed && (await this.o.isAbsent?.(query))) {
        this.#standings.set(boardOf(page.mode, page.period, page.key, page.scope), { own: { ...this.#names, player: me, rank: null, score: null, total: page.total }, at: performance.now() });
      } else {
        try {
          this.learn(await this.o.client.card(query.mode, "me", { period, date, scope, signal } as never));
        } catch (error) {
          if (!isListed) throw error; // if the player is listed, only the change of rank is missing
        }
      }
    }
    this.own = this.page && this.#ownOn(this.page);
    if (this.o.neighbours && this.own?.rank && this.page && !this.own.around && query.scope !== "groups" && !query.friends && !this.page.entries.some((e) => e.player === me)) {
      await this.#askAround(query, this.page, 1, signal);
    }
  }

  // #askAround requests the player's neighbours. The player's own row comes from the card, which is exact.
  async #askAround({ mode, period, date, scope }: Query, page: Page, range: number, signal: AbortSignal): Promise<void> {
    const own = this.own!;
    const { entries } = await this.o.client.around(mode, "me", { period, date, scope, range, near: own.rank!, signal } as never);
    const known = this.#standings.get(boardOf(page.mode, page.period, page.key, page.scope));
    const around = entries.map((e) => (e.player === own.player ? { ...e, rank: own.rank!, score: own.score! } : e)).sort((a, b) => a.rank - b.rank);
    if (known) known.own.around = around;
    if (this.page) this.own = this.#ownOn(this.page);
  }

  #needsCard(page: Page, me: string): boolean {
    const known = this.#standings.get(boardOf(page.mode, page.period, page.key, page.scope));
    const isNew = !!known && performance.now() - known.at < this.#every;
    if (known && (isNew || page.closed)) return false;
    // The rows of a day are exact; those of a longer period may be older than the player's score.
    if (page.entries.some((e) => e.player === me || e.me)) return known?.own.change === undefined || page.period !== "day";
    return !!page.next_cursor || !this.o.isFresh?.(page);
  }
}

const keyOf = ({ mode, period, date, scope, friends, limit }: Query) => JSON.stringify({ mode, period, date, scope, friends, limit });

const boardOf = (mode: string, period: string, key: string, scope = "global") => `${mode} ${period} ${key} ${scope}`;

const asParameters = ({ period, date, scope, limit }: Query) => ({ period, date, scope, limit });

// without drops the rows of players who are also in `seen`: a player who has moved stays only where
// the newer rows have them.
function without(rows: Entry[], seen: Entry[]): Entry[] {
  const players = new Set(seen.map((e) => e.player));
  return rows.filter((e) => !players.has(e.player));
}
