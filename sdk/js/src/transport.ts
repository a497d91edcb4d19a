// How one request reaches the API: timeout, retries, tokens and the trip wire. It
// knows no route.
import { failure, LeaderboardsError, type Problem } from "./errors.ts";

export interface ClientOptions {
  /** Where the API is, without `/v1`; empty for the page's own origin. */
  baseUrl: string;
  /**
   * Answers the player's session or device token, null for who is signed out. Asked before each request that
   * needs one; with `fresh` after a 401, once: then a kept token will not do.
   */
  getToken?: (asked: { fresh: boolean }) => string | null | undefined | Promise<string | null | undefined>;
  /** In the place of the global one. */
  fetch?: typeof globalThis.fetch;
  /** Milliseconds for one attempt, its body included; 10,000. */
  timeout?: number;
  /** How often a request is sent again that was cut off, throttled or refused for the moment; 2. */
  maxRetries?: number;
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

export interface Request {
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

export type Ask = <Answer>(path: string, call?: Query, request?: Request) => Promise<Answer>;

// Longer waits are the caller's business: the error says how long.
const longestWait = 20; // seconds
const firstWait = 250; // milliseconds; doubled for each retry, of which a random part is waited
const minute = 60_000;

export function transport({ baseUrl, getToken, fetch: given, timeout = 10_000, maxRetries = 2, requestsPerMinute = 120 }: ClientOptions) {
  const base = baseUrl.replace(/\/+$/, "") + "/v1";
  let sent: number[] = [];

  function trip() {
    const now = Date.now();
    sent = sent.filter((at) => at > now - minute);
    if (sent.length >= requestsPerMinute) {
      const detail = `${sent.length} requests within a minute: look for a loop or an effect that asks again and again, or raise requestsPerMinute`;
      throw failure(0, "trip-wire", detail, {}, (sent[0]! + minute - now) / 1000);
    }
    sent.push(now);
  }

  // One attempt. What reads the answer has the same time as what sends the request.
  async function attempt<T>(url: string, init: RequestInit, signal: AbortSignal | undefined, read: (response: Response) => Promise<T>): Promise<T> {
    trip();
    const stop = new AbortController();
    let late = false;
    const abort = () => stop.abort(signal!.reason);
    const timer = setTimeout(() => ((late = true), stop.abort()), timeout);
    signal?.addEventListener("abort", abort);
    try {
      return await read(await (given ?? fetch)(url, { ...init, signal: stop.signal }));
    } catch (cause) {
      if (cause instanceof LeaderboardsError) throw cause;
      signal?.throwIfAborted();
      throw late
        ? failure(0, "timeout", `no answer within ${timeout} ms`, {}, undefined, undefined, cause)
        : failure(0, "network", cause instanceof Error ? cause.message : "no answer", {}, undefined, undefined, cause);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  const address = (path: string, query: Query) => {
    const given = Object.entries(query).filter(([, value]) => value != null) as string[][];
    return base + path + (given.length ? "?" + new URLSearchParams(given) : "");
  };

  const ask: Ask = async (path, call = {}, { method = "GET", body, own, once, fresh, seen } = {}) => {
    const { signal, idempotencyKey, ...query } = call as KeyedCall;
    const url = address(path, query);
    const headers: Record<string, string> = {};
    const init: RequestInit = { method, headers };
    if (body) {
      headers["Content-Type"] = "application/json";
      init.body = JSON.stringify(body);
    }
    // One key for all attempts: whatever is cut off, the effect is had once.
    if (method === "POST" && own) headers["Idempotency-Key"] = `"${idempotencyKey ?? newKey()}"`;
    // Some Workers know no cache modes, and throw.
    if (fresh && "cache" in Request.prototype) init.cache = "no-cache";

    for (let tries = once ? maxRetries : 0, renewed = false; ; ) {
      if (own) {
        const token = await getToken?.({ fresh: renewed });
        if (!token) throw failure(401, "unauthenticated", "this needs a player who is signed in: getToken gave no token");
        headers.Authorization = "Bearer " + token;
      }
      try {
        return await attempt(url, init, signal, async (response) => {
          const answer = await read(response);
          seen?.(response.headers);
          return answer;
        });
      } catch (error) {
        const { status, retryAfter } = error as LeaderboardsError;
        if (status === 401 && own && !renewed) {
          renewed = true;
          continue;
        }
        if (!passes(error) || tries++ >= maxRetries || retryAfter! > longestWait) throw error;
        await wait(retryAfter === undefined ? Math.random() * firstWait * 2 ** tries : retryAfter * 1000, signal);
      }
    }
  };
  return { ask, attempt, address };
}

/** Reports whether the same request may be answered, sent a little later. */
export function passes(error: unknown): error is LeaderboardsError {
  if (!(error instanceof LeaderboardsError)) return false;
  const { status, code, retryAfter } = error;
  if (status === 409) return retryAfter !== undefined; // the first request with this key is still running
  return code === "network" || code === "timeout" || status === 408 || status === 429 || (status >= 500 && status !== 501);
}

/** Waits, unless the signal is aborted. */
export const wait = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const abort = () => (clearTimeout(timer), reject(signal!.reason));
    const timer = setTimeout(() => (signal?.removeEventListener("abort", abort), resolve()), ms);
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort);
  });

async function read(response: Response) {
  const kind = response.headers.get("Content-Type") ?? "";
  const text = await response.text();
  if (response.ok) {
    if (response.status === 204) return undefined;
    if (!/json/.test(kind)) throw failure(response.status, "network", `the answer is ${kind || "of no type"}, not JSON: does baseUrl lead to the API?`);
    const answer = JSON.parse(text);
    if (answer?.constructor !== Object) throw new Error("the answer is no JSON object");
    return answer;
  }
  let problem: Partial<Problem> = {};
  try {
    problem = Object(JSON.parse(text));
  } catch {
    // A gateway's own page.
  }
  const { status, headers } = response;
  throw failure(status, problem.code ?? "http-" + status, problem.detail ?? `the answer has status ${status}`, problem, seconds(headers.get("Retry-After")), headers.get("X-Request-Id") ?? undefined);
}

// Retry-After is a number of seconds or a date (RFC 9110, section 10.2.3).
function seconds(text: string | null) {
  if (!text) return;
  const value = /^\d+$/.test(text) ? +text : (Date.parse(text) - Date.now()) / 1000;
  return isNaN(value) ? undefined : Math.max(0, value);
}

// Pages that are not served over https have no crypto.randomUUID.
const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
