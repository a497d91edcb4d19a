// Puts the player's own row into pages of a board that were read before the player's
// score was written. Caches on the way, and other processes of the API, may hold a page
// for up to a minute, while the answer to a submission says exactly where the player stands.
import type { Card, Entry, Page, Submitted } from "./types.ts";

// The greatest age of a page, in milliseconds: no game may let caches hold one longer.
const cacheAge = 60_000;

/** The player's entry on a global board. */
interface Standing {
  entry: Entry;
  total: number;
  /** Whether the submission brought the player onto the board. */
  isNew: boolean;
}

/** What is remembered of the answer to the player's last submission. */
export interface Own {
  /** When the answer was made, in whole Unix seconds by the API's clock, to compare with a page's `updated_at`. */
  at: number;
  /** Until when pages may lack the score, in Unix milliseconds by this machine's clock. */
  until: number;
  /** The player's standings by mode, period and key: see boardOf. */
  standings: Record<string, Standing>;
}

const boardOf = (mode: string, period: string, key: string) => mode + period + key;

/** Makes an Own of the answer to a submission; `date` is the answer's Date header. */
export function remember(answer: Submitted, date: string | null): Own {
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
 * Returns the page with the own row in its place. A page that was read after the submission keeps its rows, and so does
 * a page whose own row has the current score already; there the row is only marked with `me`. On any other page merge
 * takes the old row out and puts the new one before the rows that it leads. Where the row belongs between two pages,
 * neither may show it: each leaves it to the other, so that it never appears twice.
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
  // If the first row of a later page has the same rank, the own row may be on the page before.
  const begins = !(cursor || offset) || entries[0]?.rank! < rank;
  const fits = begins && !!(!entries.length || led.length || !page.next_cursor);
  if (fits) entries.push({ ...before, ...entry });
  const down = fits || before || isNew ? 1 : 0;
  for (const row of led) entries.push({ ...row, rank: row.rank + down });
  return { ...page, entries, total: Math.max(page.total + (fits && isNew ? 1 : 0), total) };
}
