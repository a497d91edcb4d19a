import { type Client } from "./client.ts";
import { type FieldError } from "./errors.ts";
import type { ClientOptions } from "./transport.ts";
/** What a method answers: data or an error, never both. */
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
    /** For programs: see `code` of a LeaderboardsError. */
    code: string;
    /** For people. */
    message: string;
    status: number;
    details: readonly FieldError[];
}
export interface Meta {
    /** When the answer came, RFC 3339. */
    timestamp: string;
    /** By which the operator finds the request in the log; of errors alone. */
    requestId?: string | undefined;
    /** Seconds after which the same request may be sent again. */
    retryAfter?: number | undefined;
    /** Of a board: how many players are on it. */
    total?: number | undefined;
    /** Of a page: leads to the next. */
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
/** The client's methods, but the iterators, in envelopes. */
export type EnvelopeClient = {
    [Name in keyof Asynchronous]: Asynchronous[Name] extends (...given: infer Given) => Promise<infer Data> ? (...given: {
        [Index in keyof Given]: Worded<Given[Index]>;
    }) => Promise<Envelope<Data>> : never;
};
export declare function createEnvelopeClient(options: ClientOptions): EnvelopeClient;
export {};
