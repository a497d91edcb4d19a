import { type Client } from "./client.ts";
import { type FieldError } from "./errors.ts";
import type { ClientOptions } from "./transport.ts";
/** What a method resolves to: data or an error, never both. */
export type Envelope<Data> = {
    data: Data;
    error: null;
    meta: Meta;
} | {
    data: null;
    error: EnvelopeError;
    meta: Meta;
};
export interface EnvelopeError {
    /** For programs; the same as `code` of a LeaderboardsError. */
    code: string;
    /** For people. */
    message: string;
    status: number;
    details: readonly FieldError[];
}
export interface Meta {
    /** When the method ended, by this machine's clock, RFC 3339 in UTC. */
    timestamp: string;
    /** Errors only: the id by which the operator finds the request in the log. */
    requestId?: string | undefined;
    /** Errors only: seconds after which the same request may be sent again. */
    retryAfter?: number | undefined;
    /** Boards only: how many players are on the board. */
    total?: number | undefined;
    /** Pages only: the cursor of the next page. */
    cursor?: string | undefined;
}
declare const periods: {
    readonly daily: "day";
    readonly weekly: "week";
    readonly monthly: "month";
    readonly alltime: "alltime";
};
export type EnvelopePeriod = keyof typeof periods;
type Asynchronous = {
    [Name in keyof Client as Client[Name] extends (...given: never[]) => Promise<unknown> ? Name : never]: Client[Name];
};
type Worded<Given> = Given extends object ? ("period" extends keyof Given ? Omit<Given, "period"> & {
    period?: EnvelopePeriod;
} : Given) : Given;
/** The client's methods in envelopes, without the iterators `entries` and `live`. */
export type EnvelopeClient = {
    [Name in keyof Asynchronous]: Asynchronous[Name] extends (...given: infer Given) => Promise<infer Data> ? (...given: {
        [Index in keyof Given]: Worded<Given[Index]>;
    }) => Promise<Envelope<Data>> : never;
};
export declare function createEnvelopeClient(options: ClientOptions): EnvelopeClient;
export {};
