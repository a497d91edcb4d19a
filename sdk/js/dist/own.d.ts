import type { Entry, Page, Submitted } from "./types.ts";
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
/** Makes an Own of the answer to a submission; `date` is the answer's Date header. */
export declare function remember(answer: Submitted, date: string | null): Own;
/**
 * Returns the page with the own row in its place. A page that was read after the submission keeps its rows, and so does
 * a page whose own row has the current score already; there the row is only marked with `me`. On any other page merge
 * takes the old row out and puts the new one before the rows that it leads. Where the row belongs between two pages,
 * neither may show it: each leaves it to the other, so that it never appears twice.
 */
export declare function merge(page: Page, own: Own | undefined, { cursor, offset }?: {
    cursor?: string;
    offset?: number;
}): Page;
export {};
