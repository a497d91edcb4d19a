import { LeaderboardsError } from "./errors.ts";
import type { BoardQuery, Page } from "./types.ts";
/**
 * Yields a page of a board at each change. It returns true when the period has closed, false when the stream has ended
 * and may be opened again, null when the API has no streams.
 */
export type Stream = (open: Open, mode: string, query: BoardQuery, signal?: AbortSignal) => AsyncGenerator<Page, boolean | null, undefined>;
export interface ClientOptions {
    /** The API's address without `/v1`; empty for the web page's own origin. */
    baseUrl: string;
    /**
     * Returns the player's session or device token, null if the player is signed out. It is called before each attempt of
     * a request that needs a token. After a 401 `fresh` is true: return a new token then, not a kept one. A second 401
     * rejects.
     */
    getToken?: (asked: {
        fresh: boolean;
    }) => string | null | undefined | Promise<string | null | undefined>;
    /** Used instead of the global `fetch`. */
    fetch?: typeof globalThis.fetch;
    /** Milliseconds for one attempt, reading the body included; 10,000 by default. */
    timeout?: number;
    /** How often a request is sent again after it was cut off, throttled or refused for the moment; 2 by default. */
    maxRetries?: number;
    /** `stream` from `@framedle/leaderboards/stream`: if the API has streams, `live` reads one instead of polling. */
    stream?: Stream;
    /** The trip wire: how many requests may be sent within one minute; 120 by default. Infinity turns it off. */
    requestsPerMinute?: number;
}
/** The options that every method takes. */
export interface Call {
    /** Aborts sending and waiting; the promise then rejects with the signal's reason. */
    signal?: AbortSignal | undefined;
}
/** The options of methods that send an Idempotency-Key. */
export interface KeyedCall extends Call {
    /** Used instead of a generated key, so that a request can be sent again after the web page was closed. */
    idempotencyKey?: string | undefined;
}
export type Query = object;
/** How a request is sent. */
export interface Asking {
    method?: string;
    body?: unknown;
    /** Send the caller's token. */
    own?: boolean;
    /** Do not retry, except once with a fresh token after a 401. */
    once?: boolean;
    /** No cache may answer without asking the API first (`no-cache`). */
    fresh?: boolean;
    /** Called with the headers of the answer. */
    seen?: (headers: Headers) => void;
}
export type Ask = <Answer>(path: string, call?: Query, asking?: Asking) => Promise<Answer>;
export type Open = (path: string, query: Query, signal: AbortSignal) => Promise<Response>;
export declare function transport({ baseUrl, getToken, fetch: given, timeout, maxRetries, requestsPerMinute }: ClientOptions): {
    ask: Ask;
    open: Open;
};
/** Reports whether a failure is temporary: the same request may succeed a little later. */
export declare function passes(error: unknown): error is LeaderboardsError;
/** Waits `ms` milliseconds; rejects with the signal's reason when the signal is aborted. */
export declare const wait: (ms: number, signal?: AbortSignal) => Promise<void>;
