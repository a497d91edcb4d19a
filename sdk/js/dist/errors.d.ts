import type { components } from "./types.gen.ts";
/** RFC 9457, as the API writes it. */
export type Problem = components["schemas"]["Problem"];
/** The codes of problems that the API answers, explained in docs/problems.md. */
export type ProblemCode = Problem["code"];
/** One wrong field: a JSON pointer into the body, `?name` of the query, `{name}` of the path. */
export type FieldError = components["schemas"]["FieldError"];
/** What an error has been made of. */
export interface Failure {
    status: number;
    code: string;
    detail: string;
    type?: string | undefined;
    title?: string | undefined;
    errors?: readonly FieldError[] | undefined;
    openDates?: readonly string[] | undefined;
    requestId?: string | undefined;
    retryAfter?: number | undefined;
    cause?: unknown;
}
/** Every failure, but an abort by the caller's own signal, which rejects with its reason. */
export declare class LeaderboardsError extends Error {
    /** The HTTP status; 0 where there was no answer. */
    readonly status: number;
    /** A ProblemCode, or `network`, `timeout`, `trip-wire`, `bad-answer`, or `http-502` where a gateway answered by itself. */
    readonly code: string;
    /** Leads to the explanation of the code; empty where there is none. */
    readonly type: string;
    readonly title: string;
    readonly detail: string;
    /** What is wrong with single fields. */
    readonly errors: readonly FieldError[];
    /** With `date-closed`: the dates that take scores now. */
    readonly openDates: readonly string[];
    /** By which the operator finds the request in the log. */
    readonly requestId: string | undefined;
    /** Seconds after which the same request may be sent again. */
    readonly retryAfter: number | undefined;
    constructor({ status, code, detail, type, title, errors, openDates, requestId, retryAfter, cause }: Failure);
}
/** The class of one code. */
export interface ErrorClass<Code extends string> {
    new (failure: Failure): LeaderboardsError & {
        readonly code: Code;
    };
}
export declare function classOf<Code extends string>(name: string): ErrorClass<Code>;
/** Makes the error of a code, of its class. */
export declare const failed: (failure: Failure) => LeaderboardsError;
/** Of an answer that the API does not give. */
export declare const odd: (detail: string) => LeaderboardsError;
