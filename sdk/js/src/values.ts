// Scores of modes that rank by several values, for people and for programs.
import type { GameMode, Values } from "./types.ts";

/** What ranks a player: a row, a card, the answer to a submission. */
export type Scored = { score?: number | null; values?: Values | undefined };

/** One number of a score, as it is shown. */
export interface Shown {
  /** The value's; empty where the mode ranks by one number. */
  name: string;
  /** With the places that the mode declares. */
  text: string;
}

/** The numbers of a score, the first to decide first: of one without values itself, of none nothing. */
export function showScore(mode: GameMode, { score, values }: Scored, locale?: string): Shown[] {
  const show = (name: string, n: number | null | undefined, decimals: number): Shown[] =>
    typeof n === "number" ? [{ name, text: n.toLocaleString(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }) }] : [];
  return mode.values ? mode.values.flatMap(({ name, decimals }) => show(name, values?.[name], decimals)) : show("", score, mode.decimals);
}

/** A score in one line, as in `92.50 wpm, 98.20 accuracy`. */
export function formatScore(mode: GameMode, scored: Scored, locale?: string): string {
  return showScore(mode, scored, locale).map(({ name, text }) => (name ? `${text} ${name.replaceAll("_", " ")}` : text)).join(", ");
}

/** Below 0 where the first leads the second, above 0 where the second leads, 0 where who was earlier decides. */
export function compareScores(mode: GameMode, a: Scored, b: Scored): number {
  for (const { name, order } of mode.values ?? [{ name: "", order: mode.order }]) {
    const by = (name ? a.values![name]! - b.values![name]! : a.score! - b.score!) * (order === "asc" ? 1 : -1);
    if (by) return by;
  }
  return 0;
}
