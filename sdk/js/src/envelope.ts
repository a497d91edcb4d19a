// For frontends that speak an envelope: every method answers `{data, error, meta}`
// and none rejects; periods are `daily`, `weekly` and `alltime`.
import { createClient, type Client } from "./client.ts";
import { LeaderboardsError, type FieldError } from "./errors.ts";
import type { ClientOptions } from "./transport.ts";

/** What a method answers: data or an error, never both. */
export type Envelope<Data> = { data: Data; error: null; meta: Meta } | { data: null; error: EnvelopeError; meta: Meta };

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

const periods = { daily: "day", weekly: "week", monthly: "month", alltime: "alltime" } as const;

export type EnvelopePeriod = keyof typeof periods;

type Asynchronous = { [Name in keyof Client as Client[Name] extends (...given: never[]) => Promise<unknown> ? Name : never]: Client[Name] };
type Worded<Given> = Given extends object ? ("period" extends keyof Given ? Omit<Given, "period"> & { period?: EnvelopePeriod } : Given) : Given;

/** The client's methods, but the iterators, in envelopes. */
export type EnvelopeClient = {
  [Name in keyof Asynchronous]: Asynchronous[Name] extends (...given: infer Given) => Promise<infer Data>
    ? (...given: { [Index in keyof Given]: Worded<Given[Index]> }) => Promise<Envelope<Data>>
    : never;
};

export function createEnvelopeClient(options: ClientOptions): EnvelopeClient {
  const client = createClient(options);
  const wrapped: Record<string, unknown> = {};
  for (const [name, method] of Object.entries(client) as [string, (...given: unknown[]) => Promise<object>][]) {
    if (name === "entries" || name === "live") continue;
    wrapped[name] = async (...given: unknown[]) => {
      const meta = (rest?: object) => ({ timestamp: new Date().toISOString(), ...rest });
      try {
        const data = await method(...given.map(worded));
        const { total, next_cursor: cursor } = Object(data);
        return { data, error: null, meta: meta({ total, cursor }) };
      } catch (thrown) {
        if (!(thrown instanceof LeaderboardsError)) throw thrown; // an abort, or a mistake in a program
        const { code, message, status, errors: details, requestId, retryAfter } = thrown;
        return { data: null, error: { code, message, status, details }, meta: meta({ requestId, retryAfter }) };
      }
    };
  }
  return wrapped as EnvelopeClient;
}

// The words of the frontend in the API's; what is neither goes on as it is, to be
// refused there.
function worded(given: unknown) {
  const period = (given as { period?: EnvelopePeriod } | undefined)?.period;
  return period && Object.hasOwn(periods, period) ? { ...(given as object), period: periods[period] } : given;
}
