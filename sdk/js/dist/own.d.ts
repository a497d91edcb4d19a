import type { Entry, Page, QueuedResult, Result } from "./types.ts";
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
/** What to remember of an answer. */
export declare function remember(answer: Result | QueuedResult, date: string | null): Own;
/**
 * The page with the own row where it belongs. A page of after the submission keeps its rows, and so does one that has
 * the row with the score that stands. Else the row is taken from where it was, and put in before the rows that it
 * leads; not between two pages, each of which may leave it to the other, so that none shows it twice.
 */
export declare function merge(page: Page, own: Own | undefined, { cursor, offset }?: {
    cursor?: string;
    offset?: number;
}): Page;
export {};
