import { type Call, type ClientOptions } from "./transport.ts";
import type { components } from "./types.gen.ts";
import type { QueryOf } from "./types.ts";
export type Feed = components["schemas"]["Feed"];
export type FeedEntry = components["schemas"]["FeedEntry"];
export interface Feeds {
    /** The newest entries of a mode's day board, newest first; with `since`, only the entries after that moment. */
    feed(query: QueryOf<"getFeed"> & Call): Promise<Feed>;
}
export declare function createFeed(options: ClientOptions): Feeds;
