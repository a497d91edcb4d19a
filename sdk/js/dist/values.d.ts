import type { GameMode, Values } from "./types.ts";
/** What ranks a player: a row, a card, the answer to a submission. */
export type Scored = {
    score?: number | null;
    values?: Values | undefined;
};
/** One number of a score, as it is shown. */
export interface Shown {
    /** The value's; empty where the mode ranks by one number. */
    name: string;
    /** With the places that the mode declares. */
    text: string;
}
/** The numbers of a score, the first to decide first: of one without values itself, of none nothing. */
export declare function showScore(mode: GameMode, { score, values }: Scored, locale?: string): Shown[];
/** A score in one line, as in `92.50 wpm, 98.20 accuracy`. */
export declare function formatScore(mode: GameMode, scored: Scored, locale?: string): string;
/** Below 0 where the first leads the second, above 0 where the second leads, 0 where who was earlier decides. */
export declare function compareScores(mode: GameMode, a: Scored, b: Scored): number;
