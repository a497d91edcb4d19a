import { LeaderboardsError } from "./errors.ts";
import type { BoardQuery, Page } from "./types.ts";
/**
 * Yields a board at each change. It returns true when the period has closed, false when the stream has ended and may be
 * asked for again, null when the API has none.
 */
export type Stream = (open: Open, mode: string, query: BoardQuery, signal?: AbortSignal) => AsyncGenerator<Page, boolean | null, undefined>;
export interface ClientOptions {
    /** Where the API is, without `/v1`; empty for the page's own origin. */
    baseUrl: string;
    /**
     * Answers the player's session or device token, null for who is signed out. Asked before each request that
     * needs one; with `fresh` after a 401, once: then a kept token will not do.
     */
    getToken?: (asked: {
        fresh: boolean;
    }) => string | null | undefined | Promise<string | null | undefined>;
    /** In the place of the global one. */
    fetch?: typeof globalThis.fetch;
    /** Milliseconds for one attempt, its body included; 10,000. */
    timeout?: number;
    /** How often a request is sent again that was cut off, throttled or refused for the moment; 2. */
    maxRetries?: number;
    /** `stream` of `@framedle/leaderboards/stream`, where the API has streams: live boards then change by themselves. */
    stream?: Stream;
    /** The trip wire: what is sent within one minute at most; 120. Infinity cuts it. */
    requestsPerMinute?: number;
}
/** What any method takes. */
export interface Call {
    /** Aborts waiting and sending; the promise rejects with its reason. */
    signal?: AbortSignal | undefined;
}
/** What methods take that write with an Idempotency-Key. */
export interface KeyedCall extends Call {
    /** In the place of a generated one: for a retry after the page itself was closed. */
    idempotencyKey?: string | undefined;
}
export type Query = object;
/** How it is asked. */
export interface Asking {
    method?: string;
    body?: unknown;
    /** Sent with the caller's token. */
    own?: boolean;
    /** Never sent again by itself. */
    once?: boolean;
    /** No cache on the way may answer before asking. */
    fresh?: boolean;
    /** Is handed the headers of the answer. */
    seen?: (headers: Headers) => void;
}
export type Ask = <Answer>(path: string, call?: Query, asking?: Asking) => Promise<Answer>;
export type Open = (path: string, query: Query, signal: AbortSignal) => Promise<Response>;
export declare function transport({ baseUrl, getToken, fetch: given, timeout, maxRetries, requestsPerMinute }: ClientOptions): {
    ask: Ask;
    open: Open;
};
/** Reports whether the same request may be answered, sent a little later. */
export declare function passes(error: unknown): error is LeaderboardsError;
/** Waits, unless the signal is aborted. */
export declare const wait: (ms: number, signal?: AbortSignal) => Promise<void>;
