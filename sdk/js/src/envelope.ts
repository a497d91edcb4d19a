// For frontends that expect an envelope: every method resolves to `{data, error, meta}`,
// also when a request fails. Periods are `daily`, `weekly`, `monthly` and `alltime`. A
// method still rejects after an abort by the caller's signal.
import { createClient, type Client } from "./client.ts";
import { LeaderboardsError, type FieldError } from "./errors.ts";
import type { ClientOptions } from "./transport.ts";

/** What a method resolves to: data or an error, never both. */
export type Envelope<Data> = { data: Data; error: null; meta: Meta } | { data: null; error: EnvelopeError; meta: Meta };

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

const periods = { daily: "day", weekly: "week", monthly: "month", alltime: "alltime" } as const;

export type EnvelopePeriod = keyof typeof periods;

type Asynchronous = { [Name in keyof Client as Client[Name] extends (...given: never[]) => Promise<unknown> ? Name : never]: Client[Name] };
type Worded<Given> = Given extends object ? ("period" extends keyof Given ? Omit<Given, "period"> & { period?: EnvelopePeriod } : Given) : Given;

/** The client's methods in envelopes, without the iterators `entries` and `live`. */
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

// Translates the frontend's name of a period into the API's. An unknown name is sent as
// it is, and the API refuses it.
function worded(given: unknown) {
  const period = (given as { period?: EnvelopePeriod } | undefined)?.period;
  return period && Object.hasOwn(periods, period) ? { ...(given as object), period: periods[period] } : given;
}
