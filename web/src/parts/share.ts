// The text of a result that players share.
import { gridOf } from "./details.ts";
import type { Format } from "./format.ts";
import { words } from "./words.ts";

export interface Shared {
  game: string;
  mode: string;
  when: string;
  rank: number;
  total: number;
  streak?: number | undefined;
  details?: unknown;
  link?: string | undefined;
}

/** shareText is the text of a result, with a line each for game, rank, streak, grid and link. */
export function shareText(s: Shared, format: Format): string {
  const top = Math.max((100 * s.rank) / Math.max(s.total, s.rank), 0.1);
  return [
    `${s.game} · ${s.mode} · ${s.when}`,
    `🏆 #${format.count(s.rank)} / ${format.count(Math.max(s.total, s.rank))} · ${words.top(format.percent(top))}`,
    s.streak && s.streak > 1 ? `🔥 ${format.count(s.streak)}` : "",
    ...gridOf(s.details),
    s.link ?? "",
  ].filter(Boolean).join("\n");
}

/** copy puts a text on the clipboard, and reports whether that succeeded. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
