// Failures as classes. Programs decide by class or by `code`; `message` is for people.
import type { components } from "./types.gen.ts";

/** The JSON body of an error answer (RFC 9457). */
export type Problem = components["schemas"]["Problem"];

/** The codes of the API's problems; docs/problems.md explains them. */
export type ProblemCode = Problem["code"];

/** One wrong field, named by a JSON pointer into the body, `?name` of the query or `{name}` of the path. */
export type FieldError = components["schemas"]["FieldError"];

// rate-limited is a RateLimitedError, internal-server-error an InternalServerError.
const nameOf = (code: string) => ("-" + code.replace(/-error$/, "")).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()) + "Error";

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
export class LeaderboardsError extends Error {
  /** The HTTP status; 0 if no answer came. */
  declare readonly status: number;
  /**
   * A ProblemCode; `network`, `timeout`, `trip-wire` or `bad-answer` from the client itself; or `http-` and the status,
   * such as `http-502`, if a gateway answered in the API's place.
   */
  declare readonly code: string;
  /** The URL of the code's explanation; empty if there is none. */
  declare readonly type: string;
  declare readonly title: string;
  declare readonly detail: string;
  /** The wrong fields; empty if the failure is not about fields. */
  declare readonly errors: readonly FieldError[];
  /** With `date-closed`: the dates that take scores now. */
  declare readonly openDates: readonly string[];
  /** The id by which the operator finds the request in the log. */
  declare readonly requestId: string | undefined;
  /** Seconds after which the same request may be sent again; undefined if the API did not say. */
  declare readonly retryAfter: number | undefined;

  constructor({ status, code, detail, type = "", title = detail, errors = [], openDates = [], requestId, retryAfter, cause }: Failure) {
    super(detail);
    Object.assign(this, { name: nameOf(code), status, code, detail, type, title, errors, openDates, requestId, retryAfter, cause });
  }
}

/** The class of one code. */
export interface ErrorClass<Code extends string> {
  new (failure: Failure): LeaderboardsError & { readonly code: Code };
}

const classes = new Map<string, typeof LeaderboardsError>();

// Bundlers leave out a class that nobody imports, since each call of classOf is marked
// pure. Its failures are then plain LeaderboardsErrors with the same name and code.
export function classOf<Code extends string>(name: string): ErrorClass<Code> {
  const made = class extends LeaderboardsError {};
  classes.set(name, made);
  return made as ErrorClass<Code>;
}

/** Makes the error of a failure, in the class of its code. */
export const failed = (failure: Failure): LeaderboardsError => new (classes.get(nameOf(failure.code)) ?? LeaderboardsError)(failure);

/** Makes the error for an answer that the API does not give. */
export const odd = (detail: string): LeaderboardsError => failed({ status: 200, code: "bad-answer", detail });
