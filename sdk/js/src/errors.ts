// What goes wrong, as classes. Decide by class or by `code`; `message` is for people.
import type { components } from "./types.gen.ts";

/** RFC 9457, as the API writes it. */
export type Problem = components["schemas"]["Problem"];

/** The codes of problems that the API answers, explained in docs/problems.md. */
export type ProblemCode = Problem["code"];

/** One wrong field: a JSON pointer into the body, `?name` of the query, `{name}` of the path. */
export type FieldError = components["schemas"]["FieldError"];

// rate-limited is a RateLimitedError, internal-server-error an InternalServerError.
const nameOf = (code: string) => ("-" + code.replace(/-error$/, "")).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()) + "Error";

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
export class LeaderboardsError extends Error {
  /** The HTTP status; 0 where there was no answer. */
  declare readonly status: number;
  /** A ProblemCode, or `network`, `timeout`, `trip-wire`, `bad-answer`, or `http-502` where a gateway answered by itself. */
  declare readonly code: string;
  /** Leads to the explanation of the code; empty where there is none. */
  declare readonly type: string;
  declare readonly title: string;
  declare readonly detail: string;
  /** What is wrong with single fields. */
  declare readonly errors: readonly FieldError[];
  /** With `date-closed`: the dates that take scores now. */
  declare readonly openDates: readonly string[];
  /** By which the operator finds the request in the log. */
  declare readonly requestId: string | undefined;
  /** Seconds after which the same request may be sent again. */
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

// A class that nobody imports is left out by bundlers, since each is marked pure;
// its failures are then plain LeaderboardsErrors of the same name and code.
export function classOf<Code extends string>(name: string): ErrorClass<Code> {
  const made = class extends LeaderboardsError {};
  classes.set(name, made);
  return made as ErrorClass<Code>;
}

/** Makes the error of a code, of its class. */
export const failed = (failure: Failure): LeaderboardsError => new (classes.get(nameOf(failure.code)) ?? LeaderboardsError)(failure);

/** Of an answer that the API does not give. */
export const odd = (detail: string): LeaderboardsError => failed({ status: 200, code: "bad-answer", detail });
