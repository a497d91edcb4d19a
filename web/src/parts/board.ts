// One board at a time, as it is shown: asked for once, kept while another one is
// looked at, asked for again when it is old and somebody sees it. What the player has
// just submitted is put in without a request.
import type { Card, Client, Entry, FriendsBoard, LeaderboardsError, LiveOptions, Page, Result } from "../../../sdk/js/src/index.ts";
import { merge, remember } from "../../../sdk/js/src/own.ts";
import type { Period } from "./periods.ts";

/** Query is which board, and how many rows are asked for at once. */
export interface Query {
  mode: string;
  period: Period;
  date?: string | undefined; // any date of the period; the current one without
  scope?: string | undefined; // "country:BR", "group:x"; everybody without
  friends?: boolean | undefined; // the player and friends alone
  limit: number;
}

/** Own is where the player stands on a board; rank null: not on it yet. */
export interface Own {
  player: string;
  rank: number | null;
  score: number | null;
  total: number;
  change?: number | null | undefined; // ranks gained since the period before; undefined: not asked
  details?: unknown;
  name?: string | undefined;
  picture?: string | undefined;
  country?: string | undefined;
}

/** Shown is a board with all rows that have been asked for. */
interface Kept {
  page: Page; // entries are all rows so far, next_cursor leads past the last
  at: number; // when it was read, by performance.now(); -Infinity: to be read again
}

export interface BoardOptions {
  client: Client;
  /** The player's id; null for who is signed out. */
  who?: (() => Promise<string | null>) | undefined;
  changed: () => void;
  /** Seconds after which a board that is looked at is asked for again. */
  refresh?: number | undefined;
  /** Changes are told as they come, not every so many seconds. */
  live?: boolean | undefined;
  /** The first row in sight: what is asked for again. */
  firstInSight?: (() => number) | undefined;
}

type Named = Pick<Own, "player" | "name" | "picture" | "country">;

const pauses = [5, 15, 30, 60, 120, 300]; // s, after so many failures in a row

export class Board {
  query: Query | null = null;
  page: Page | null = null;
  own: Own | null = null; // null: signed out, or not known yet
  me: string | null = null;
  error: LeaderboardsError | null = null;
  retryAt = 0; // when it is asked for again by itself after a failure, by Date.now()
  loading = false;

  private kept = new Map<string, Kept>();
  private standings = new Map<string, { own: Own; at: number }>();
  private names: Named | null = null;
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asking: AbortController | null = null;

  constructor(private readonly o: BoardOptions) {
    document.addEventListener("visibilitychange", this.awake);
    addEventListener("online", this.online);
  }

  /** close ends all that goes on. */
  close(): void {
    this.stop();
    document.removeEventListener("visibilitychange", this.awake);
    removeEventListener("online", this.online);
  }

  /** show turns to a board; null to none. */
  show(query: Query | null): void {
    this.stop();
    this.query = query;
    this.error = null;
    this.failures = 0;
    const kept = query && this.kept.get(keyOf(query));
    this.page = kept?.page ?? null;
    this.own = this.page && this.ownOn(this.page);
    if (query && (this.o.live || !kept || this.dueIn(kept) <= 0)) void this.ask();
    else this.schedule();
    this.o.changed();
  }

  /** retry asks again now. */
  retry(): void {
    if (this.query && !this.asking) void this.ask();
  }

  /** more asks for the rows behind the last. */
  async more(): Promise<void> {
    const { query, page } = this;
    if (!query || !page?.next_cursor || this.asking) return;
    await this.asked(async (signal) => {
      const next = await this.o.client.leaderboard(query.mode, { ...asParameters(query), cursor: page.next_cursor, signal });
      this.keep(query, { ...next, entries: without(page.entries, next.entries).concat(next.entries) }, this.kept.get(keyOf(query))?.at ?? 0);
    });
  }

  /** forget drops what is known of a player who has signed out or in, and shows who is there now. */
  forget(me: string | null): void {
    this.standings.clear();
    this.own = null;
    this.me = me;
    for (const [key] of this.kept) if ((JSON.parse(key) as Query).friends) this.kept.delete(key);
    for (const kept of this.kept.values()) kept.page = { ...kept.page, entries: kept.page.entries.map(({ me: _, ...entry }) => entry) };
    const kept = this.query && this.kept.get(keyOf(this.query));
    this.page = kept?.page ?? null;
    if (!this.query || !this.page) return;
    this.own = this.ownOn(this.page);
    if (me && !this.asking) void this.asked((signal) => this.findOwn(this.query!, signal));
    this.o.changed();
  }

  /** forgetFriends has boards of friends asked for anew: who is on them has changed. */
  forgetFriends(): void {
    for (const [key, kept] of this.kept) if ((JSON.parse(key) as Query).friends) kept.at = -Infinity;
    if (this.query?.friends && !this.asking) void this.ask();
  }

  /** outdate has every board of a mode asked for again when it is next seen. */
  outdate(mode?: string): void {
    for (const [key, kept] of this.kept) if (!mode || (JSON.parse(key) as Query).mode === mode) kept.at = -Infinity;
    if (mode) for (const [key] of this.standings) if (key.startsWith(mode + " ")) this.standings.delete(key);
    if (!mode) this.standings.clear();
    if (this.query && (!mode || this.query.mode === mode)) this.schedule();
  }

  /** played puts a submission's answer in: the own row on its day and its week, and friends where it has them. */
  played(answer: Result, details?: unknown): void {
    const { mode, date, player, rank, score, total, view } = answer;
    const seen = [view?.around, view?.friends].flatMap((board) => (board as Page | null | undefined)?.entries ?? []);
    this.name(seen.find((e) => e.player === player) ?? { player });
    const told = { ...remember(answer as never, null), at: Infinity };
    const holds = new Set<string>();
    let current = false; // whether the day is the one that boards without a date show
    for (const [key, kept] of this.kept) {
      const query = JSON.parse(key) as Query;
      if (query.mode !== mode) continue;
      const { page } = kept;
      current ||= !query.date && query.period === "day" && page.key === date;
      const isTold = !query.friends && told.standings.some((s) => s.period === page.period && s.key === page.key && page.scope === "global");
      if (isTold) {
        kept.page = this.named(merge(page, told, Infinity));
        holds.add(key);
      } else kept.at = -Infinity;
    }
    for (const [key] of this.standings) if (key.startsWith(mode + " ")) this.standings.delete(key);
    const own: Own = { ...this.names, player, score, rank: rank ?? null, total: total ?? rank ?? 0, details };
    this.standings.set(boardOf(mode, "day", date), { own, at: performance.now() });
    const week = view?.week as Card | null | undefined;
    if (week) this.learn(week);
    const friends = view?.friends as FriendsBoard | null | undefined;
    if (friends && current) {
      const key = keyOf({ mode, period: "day", friends: true, limit: this.query?.limit ?? 50 });
      this.kept.set(key, { page: friends as Page, at: performance.now() });
      holds.add(key);
    }
    this.me = player;
    const { query } = this;
    if (query) {
      this.page = this.kept.get(keyOf(query))?.page ?? this.page;
      this.own = this.page && this.ownOn(this.page);
      if (query.mode === mode && !holds.has(keyOf(query))) void this.ask();
    }
    this.o.changed();
  }

  /** learn keeps a card of the player's own. */
  learn(card: Card): void {
    const { player, rank, score, total, rank_change: change, details } = card;
    this.name(card);
    this.standings.set(boardOf(card.mode, card.period, card.key, card.scope), {
      own: { ...this.names, player, rank, score, total, change, details },
      at: performance.now(),
    });
  }

  // How the player is shown, as far as any answer has told: what a submission
  // answers has ranks alone.
  private name({ player, name, picture, country }: Named): void {
    const known = this.names?.player === player ? this.names : undefined;
    this.names = { player, name: name ?? known?.name, picture: picture ?? known?.picture, country: country ?? known?.country };
  }

  private named(page: Page): Page {
    const { names } = this;
    if (!names) return page;
    return { ...page, entries: page.entries.map((e) => (e.player === names.player && !e.name ? ({ ...names, ...e } as Entry) : e)) };
  }

  private readonly awake = () => {
    if (!document.hidden) this.schedule();
  };

  private readonly online = () => {
    if (this.error) this.retry();
  };

  private stop(): void {
    clearTimeout(this.timer);
    this.asking?.abort();
    this.asking = null;
    this.loading = false;
  }

  private get every(): number {
    return Math.max(5, this.o.refresh ?? 60) * 1000;
  }

  private dueIn(kept: Kept): number {
    return kept.page.closed ? Infinity : kept.at + this.every - performance.now();
  }

  // Nothing is asked while nobody looks; whoever comes back sets the clock again.
  private schedule(): void {
    clearTimeout(this.timer);
    if (!this.query || this.asking || document.hidden) return;
    const kept = this.kept.get(keyOf(this.query));
    const wait = this.error ? this.retryAt - Date.now() : kept ? this.dueIn(kept) : 0;
    if (wait !== Infinity && (!this.error || this.retryAt)) this.timer = setTimeout(() => this.retry(), Math.max(0, wait));
  }

  private async ask(): Promise<void> {
    const query = this.query!;
    if (this.o.live && !query.friends) return this.follow(query);
    await this.asked(async (signal) => {
      const { client } = this.o;
      const { period, date } = query;
      if (query.friends) {
        const page = await client.friendsLeaderboard(query.mode, { period, date, signal });
        this.keep(query, page as Page);
      } else {
        await this.askRows(query, signal);
      }
      await this.findOwn(query, signal);
    });
  }

  // The rows in sight are asked for again, not all that were ever asked for.
  private async askRows(query: Query, signal: AbortSignal): Promise<void> {
    const rows = this.kept.get(keyOf(query))?.page.entries ?? [];
    const { limit } = query;
    const first = Math.floor((this.o.firstInSight?.() ?? 0) / limit) * limit;
    const offset = rows.length > limit && first < rows.length ? first : 0;
    const page = await this.o.client.leaderboard(query.mode, { ...asParameters(query), ...(offset ? { offset } : {}), signal });
    if (rows.length <= limit || page.key !== this.page?.key) return this.keep(query, page);
    const before = rows.slice(0, offset);
    const after = page.next_cursor ? rows.slice(offset + limit) : [];
    this.keep(query, {
      ...page,
      entries: [...without(before, page.entries), ...page.entries, ...without(after, page.entries)],
      next_cursor: after.length ? this.page.next_cursor : page.next_cursor,
    } as Page);
  }

  private async follow(query: Query): Promise<void> {
    await this.asked(async (signal) => {
      const following = this.o.client.live(query.mode, {
        ...asParameters(query),
        signal,
        onError: (error: Error) => this.fail(error as LeaderboardsError, 0),
      } as LiveOptions);
      for await (const page of following) {
        this.error = null;
        this.loading = false;
        this.keep(query, page);
        await this.findOwn(query, signal);
        this.o.changed();
      }
    });
  }

  private async asked(ask: (signal: AbortSignal) => Promise<void>): Promise<void> {
    clearTimeout(this.timer);
    this.asking?.abort();
    const asking = (this.asking = new AbortController());
    this.loading = true;
    this.o.changed();
    try {
      await ask(asking.signal);
      if (this.asking !== asking) return;
      this.error = null;
      this.failures = 0;
    } catch (error) {
      if (this.asking !== asking) return; // another board is looked at
      const { status, retryAfter } = error as LeaderboardsError;
      const passes = !status || status === 408 || status === 429 || status >= 500;
      const pause = pauses[Math.min(this.failures++, pauses.length - 1)]!;
      this.fail(error as LeaderboardsError, passes ? Math.max(pause, retryAfter ?? 0) : Infinity);
    }
    this.asking = null;
    this.loading = false;
    this.schedule();
    this.o.changed();
  }

  private fail(error: LeaderboardsError, pause: number): void {
    this.error = error;
    this.retryAt = pause === Infinity ? 0 : Date.now() + pause * 1000;
    this.o.changed();
  }

  private keep(query: Query, page: Page, at = performance.now()): void {
    const row = page.entries.find((e) => e.player === this.me && e.name);
    if (row) this.name(row);
    this.page = this.named(page);
    this.kept.set(keyOf(query), { page: this.page, at });
    this.own = this.ownOn(this.page);
  }

  // What is known of the player on this board: from the rows, else from the last card.
  private ownOn(page: Page): Own | null {
    const { me } = this;
    if (!me) return null;
    const known = this.standings.get(boardOf(page.mode, page.period, page.key, page.scope))?.own;
    const row = page.entries.find((e) => e.player === me || e.me);
    const own = this.query?.friends ? undefined : known;
    if (row) return { change: own?.change, details: own?.details, ...row, total: Math.max(page.total, row.rank) };
    if (own) return { ...own, total: Math.max(page.total, own.total) };
    return page.next_cursor ? null : { player: me, rank: null, score: null, total: page.total };
  }

  // A card is asked for where the rows do not have the player, and once for the
  // change of rank; not where a submission has just told.
  private async findOwn(query: Query, signal: AbortSignal): Promise<void> {
    this.me = (await this.o.who?.()) ?? null;
    const { page, me } = this;
    if (!page || !me || query.scope === "groups") return;
    const known = this.standings.get(boardOf(page.mode, page.period, page.key, page.scope));
    const isListed = page.entries.some((e) => e.player === me || e.me);
    const isYoung = known && (performance.now() - known.at < this.every || page.closed);
    if (!query.friends && !isYoung && (isListed ? known?.own.change === undefined : page.next_cursor)) {
      const { period, date, scope } = query;
      this.o.changed(); // the rows are there already
      try {
        this.learn(await this.o.client.card(query.mode, "me", { period, date, scope, signal } as never));
      } catch (error) {
        if (!isListed) throw error; // else it is the change alone that is missing
      }
    }
    this.own = this.ownOn(page);
  }
}

const keyOf = ({ mode, period, date, scope, friends, limit }: Query) => JSON.stringify({ mode, period, date, scope, friends, limit });

const boardOf = (mode: string, period: string, key: string, scope = "global") => `${mode} ${period} ${key} ${scope}`;

const asParameters = ({ period, date, scope, limit }: Query) => ({ period, date, scope, limit });

// A player who has moved is where they were seen last.
function without(rows: Entry[], seen: Entry[]): Entry[] {
  const players = new Set(seen.map((e) => e.player));
  return rows.filter((e) => !players.has(e.player));
}
