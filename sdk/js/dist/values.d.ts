import type { GameMode, Values } from "./types.ts";
/** Anything with a score: an entry, a card, the answer to a submission. */
export type Scored = {
    score?: number | null;
    values?: Values | undefined;
};
/** One number of a score, ready to be shown. */
export interface Shown {
    /** The value's name; empty if the mode ranks by one number. */
    name: string;
    /** The number in the locale, with the decimals that the mode declares. */
    text: string;
}
/**
 * Returns the numbers of a score in the order in which they decide. If the mode ranks by one number, that is the score
 * itself; missing numbers are left out. `locale` is the browser's by default.
 */
export declare function showScore(mode: GameMode, { score, values }: Scored, locale?: string): Shown[];
/** Returns a score in one line, such as `92.50 wpm, 98.20 accuracy`. */
export declare function formatScore(mode: GameMode, scored: Scored, locale?: string): string;
/** Returns a number below 0 if `a` leads, above 0 if `b` leads, 0 if they are equal and the earlier play decides. */
export declare function compareScores(mode: GameMode, a: Scored, b: Scored): number;
