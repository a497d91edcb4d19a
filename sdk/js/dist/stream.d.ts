import type { Stream } from "./transport.ts";
import type { Entry, Page } from "./types.ts";
/** The data of `event: change`: rows that changed or moved, and in `gone` the players who left the page. */
interface Change {
    total: number;
    updated_at: string;
    entries: Entry[];
    gone: string[];
}
/** The `stream` option of `createClient`. It ends when the web page is hidden, and when the connection is cut. */
export declare const stream: Stream;
/** Returns the page with a change applied. */
export declare function changed({ stale: _, ...page }: Page, { entries, gone, total, updated_at }: Change): Page;
export {};
