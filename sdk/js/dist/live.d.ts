import { type Call, type Open, type Stream } from "./transport.ts";
import type { BoardQuery, Page } from "./types.ts";
export type LiveOptions = BoardQuery & Call & {
    /** Milliseconds between two questions where the API has no streams; 5,000. */
    interval?: number;
    /** Is told of failures that pass; the next question then comes later. */
    onError?: (error: Error) => void;
};
export declare function follow(read: (mode: string, query: BoardQuery & Call) => Promise<Page>, open: Open, streams: {
    stream?: Stream | undefined;
}, mode: string, { interval, onError, signal, ...query }?: LiveOptions): AsyncGenerator<Page, void, undefined>;
/** Waits while the page is hidden. Where there is no page there is nobody to hide from. */
export declare const shown: (signal?: AbortSignal) => Promise<void>;
