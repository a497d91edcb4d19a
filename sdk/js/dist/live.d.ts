import type { BoardQuery } from "./client.ts";
import { type Call, type Open } from "./transport.ts";
import type { Page } from "./types.ts";
export type LiveOptions = BoardQuery & Call & {
    /** Milliseconds between two questions where the API has no streams; 5,000. */
    interval?: number;
    /** Is told of failures that pass; the next question then comes later. */
    onError?: (error: Error) => void;
};
/** Whether the API has streams: `game()` has told of `live` among the features. To try without logs an error in the console. */
export interface Streams {
    given: boolean;
}
export declare function follow(read: (mode: string, query: BoardQuery & Call) => Promise<Page>, open: Open, streams: Streams, mode: string, { interval, onError, signal, ...query }?: LiveOptions): AsyncGenerator<Page, void, undefined>;
