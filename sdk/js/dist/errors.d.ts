import type { components } from "./types.gen.ts";
/** The JSON body of an error answer (RFC 9457). */
export type Problem = components["schemas"]["Problem"];
/** The codes of the API's problems; docs/problems.md explains them. */
export type ProblemCode = Problem["code"];
/** One wrong field, named by a JSON pointer into the body, `?name` of the query or `{name}` of the path. */
export type FieldError = components["schemas"]["FieldError"];
/** The parts from which a LeaderboardsError is made. */
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
/** The class of every failure, except an abort by the caller's signal: that rejects with the signal's reason. */
export declare class LeaderboardsError extends Error {
    /** The HTTP status; 0 if no answer came. */
    readonly status: number;
    /**
     * A ProblemCode; `network`, `timeout`, `trip-wire` or `bad-answer` from the client itself; or `http-` and the status,
     * such as `http-502`, if a gateway answered in the API's place.
     */
    readonly code: string;
    /** The URL of the code's explanation; empty if there is none. */
    readonly type: string;
    readonly title: string;
    readonly detail: string;
    /** The wrong fields; empty if the failure is not about fields. */
    readonly errors: readonly FieldError[];
    /** With `date-closed`: the dates that take scores now. */
    readonly openDates: readonly string[];
    /** The id by which the operator finds the request in the log. */
    readonly requestId: string | undefined;
    /** Seconds after which the same request may be sent again; undefined if the API did not say. */
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
/** Makes the error of a failure, in the class of its code. */
export declare const failed: (failure: Failure) => LeaderboardsError;
/** Makes the error for an answer that the API does not give. */
export declare const odd: (detail: string) => LeaderboardsError;
