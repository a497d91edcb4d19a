import { type Call, type Open, type Stream } from "./transport.ts";
import type { BoardQuery, Page } from "./types.ts";
export type LiveOptions = BoardQuery & Call & {
    /** Milliseconds between two requests while no stream is open; 5,000 by default. */
    interval?: number;
    /** Called with each temporary failure. The next request then comes later: up to 60 s, or as Retry-After says. */
    onError?: (error: Error) => void;
};
export declare function follow(read: (mode: string, query: BoardQuery & Call) => Promise<Page>, open: Open, streams: {
    stream?: Stream | undefined;
}, mode: string, { interval, onError, signal, ...query }?: LiveOptions): AsyncGenerator<Page, void, undefined>;
/** Waits while the web page is hidden; outside a browser it does not wait. Rejects when the signal is aborted. */
export declare const shown: (signal?: AbortSignal) => Promise<void>;
