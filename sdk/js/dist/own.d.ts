import type { Entry, Page, QueuedResult, Result } from "./types.ts";
/** How old a page can be, in milliseconds: the longest that a game may have caches hold one. */
export declare const cacheAge = 60000;
/** Where the player stood on one board, as a submission has answered it. */
interface Standing {
    mode: string;
    period: string;
    key: string;
    entry: Entry;
    total: number;
    /** Whether the submission brought the player onto the board. */
    isNew: boolean;
}
/** What the player's last submission has answered. */
export interface Own {
    /** By the API's clock, in whole seconds, as `updated_at` is. */
    at: number;
    /** By our own, in milliseconds. */
    until: number;
    standings: Standing[];
}
/** What to remember of an answer; nowhere is exact but on the boards of everybody. */
export declare function remember(answer: Result | QueuedResult, date: string | null): Own;
/**
 * The page with the own row where it belongs. A page of after the submission stays as it is, and so does one that
 * has the row with the score that stands. Else the row is taken from where it was, and put in before the rows that it
 * leads; past the last row only where the board ends there, since the next page may begin with it.
 */
export declare function merge(page: Page, own: Own | undefined, limit?: number): Page;
export {};
