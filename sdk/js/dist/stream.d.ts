import type { BoardQuery } from "./client.ts";
import type { Streams } from "./live.ts";
import type { Open } from "./transport.ts";
import type { Entry, Page } from "./types.ts";
/** What `event: change` tells: rows that changed or moved, and who is no longer among them. */
interface Change {
    total: number;
    updated_at: string;
    entries: Entry[];
    gone: string[];
}
/**
 * Yields the board at each change. Ends when the API has no streams (then `streams.given` is false), when the stream
 * ends or is cut, or when the page is hidden; true says that the period has closed.
 */
export declare function stream(open: Open, streams: Streams, mode: string, query: BoardQuery, signal?: AbortSignal): AsyncGenerator<Page, boolean, undefined>;
/** The page after a change. */
export declare function changed({ stale: _, ...page }: Page, { entries, gone, total, updated_at }: Change): Page;
export {};
