// The own row on pages that are older than the own score. Caches between the page
// and the API, and other processes of it, may hold a board for up to a minute; the
// answer to a submission says where the player stands, and is exact.
import type { Card, Entry, Page, QueuedResult, Result } from "./types.ts";

// How old a page can be, in milliseconds: the longest that a game may have caches hold one.
const cacheAge = 60_000;

/** Where the player stands on the board of everybody. */
interface Standing {
  entry: Entry;
  total: number;
  /** Whether the submission brought the player onto the board. */
  isNew: boolean;
}

/** What the player's last submission has answered. */
export interface Own {
  /** In whole seconds by the API's clock, as `updated_at` is. */
  at: number;
  /** In milliseconds by our own. */
  until: number;
  /** By mode, period and key. */
  standings: Record<string, Standing>;
}

const boardOf = (mode: string, period: string, key: string) => mode + period + key;

/** What to remember of an answer. */
export function remember(answer: Result | QueuedResult, date: string | null): Own {
  const now = Date.now();
  const own: Own = { at: Math.floor((Date.parse(date!) || now) / 1000), until: now + cacheAge, standings: {} };
  if (!("board" in answer)) return own;
  const { mode, player, view } = answer;
  const shown = view?.around?.entries.find((row) => row.player === player);
  const stands = (period: string, key: string, { rank, score, values, total = 0 }: Partial<Pick<Card, "rank" | "score" | "values" | "total">>, isNew: boolean) => {
    if (rank) own.standings[boardOf(mode, period, key)] = { entry: { ...shown, player, rank, score: score!, ...(values && { values }), me: true }, total, isNew };
  };
  stands("day", answer.date, answer, answer.status === "accepted");
  const week = view?.week;
  if (week) stands("week", week.key, week, false);
  return own;
}

/**
 * The page with the own row where it belongs. A page of after the submission keeps its rows, and so does one that has
 * the row with the score that stands. Else the row is taken from where it was, and put in before the rows that it
 * leads; not between two pages, each of which may leave it to the other, so that none shows it twice.
 */
export function merge(page: Page, own: Own | undefined, { cursor, offset }: { cursor?: string; offset?: number } = {}): Page {
  const standing = own && own.until > Date.now() && page.scope === "global" && own.standings[boardOf(page.mode, page.period, page.key)];
  if (!standing) return page;
  const { entry, total, isNew } = standing;
  const { player, rank, score } = entry;
  const before = page.entries.find((row) => row.player === player);
  if (before?.score === score || Date.parse(page.updated_at) / 1000 > own.at) {
    return { ...page, entries: page.entries.map((row) => (row === before ? { ...row, me: true } : row)) };
  }

  const others = page.entries.filter((row) => row !== before).map((row) => (row.rank > before?.rank! ? { ...row, rank: row.rank - 1 } : row));
  const entries = others.filter((row) => row.rank < rank || (row.rank === rank && row.score === score));
  const led = others.slice(entries.length);
  // Where the first row shares the rank, the row may as well be on the page before.
  const begins = !(cursor || offset) || entries[0]?.rank! < rank;
  const fits = begins && !!(!entries.length || led.length || !page.next_cursor);
  if (fits) entries.push({ ...before, ...entry });
  const down = fits || before || isNew ? 1 : 0;
  for (const row of led) entries.push({ ...row, rank: row.rank + down });
  return { ...page, entries, total: Math.max(page.total + (fits && isNew ? 1 : 0), total) };
}
