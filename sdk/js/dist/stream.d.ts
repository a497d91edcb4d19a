import type { Stream } from "./transport.ts";
import type { Entry, Page } from "./types.ts";
/** What `event: change` tells: rows that changed or moved, and who is no longer among them. */
interface Change {
    total: number;
    updated_at: string;
    entries: Entry[];
    gone: string[];
}
/** What `createClient({ stream })` takes. It ends while the page is hidden, and when the stream is cut. */
export declare const stream: Stream;
/** The page after a change. */
export declare function changed({ stale: _, ...page }: Page, { entries, gone, total, updated_at }: Change): Page;
export {};
