// Sends one request to the API: timeout, retries, tokens and the trip wire. It knows no
// route.
import { failed, LeaderboardsError, odd, type Problem } from "./errors.ts";
import type { BoardQuery, Page } from "./types.ts";

/**
 * Yields a page of a board at each change. It returns true when the period has closed, false when the stream has ended
 * and may be opened again, null when the API has no streams.
 */
export type Stream = (open: Open, mode: string, query: BoardQuery, signal?: AbortSignal) => AsyncGenerator<Page, boolean | null, undefined>;

export interface ClientOptions {
  /** The API's address without `/v1`; empty for the web page's own origin. */
  baseUrl: string;
  /**
   * Returns the player's session or device token, null if the player is signed out. It is called before each attempt of
   * a request that needs a token. After a 401 `fresh` is true: return a new token then, not a kept one. A second 401
   * rejects.
   */
  getToken?: (asked: { fresh: boolean }) => string | null | undefined | Promise<string | null | undefined>;
  /** Used instead of the global `fetch`. */
  fetch?: typeof globalThis.fetch;
  /** Milliseconds for one attempt, reading the body included; 10,000 by default. */
  timeout?: number;
  /** How often a request is sent again after it was cut off, throttled or refused for the moment; 2 by default. */
  maxRetries?: number;
  /** `stream` from `@framedle/leaderboards/stream`: if the API has streams, `live` reads one instead of polling. */
  stream?: Stream;
  /** The trip wire: how many requests may be sent within one minute; 120 by default. Infinity turns it off. */
  requestsPerMinute?: number;
}

/** The options that every method takes. */
export interface Call {
  /** Aborts sending and waiting; the promise then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** The options of methods that send an Idempotency-Key. */
export interface KeyedCall extends Call {
  /** Used instead of a generated key, so that a request can be sent again after the web page was closed. */
  idempotencyKey?: string | undefined;
}

export type Query = object;

/** How a request is sent. */
export interface Asking {
  method?: string;
  body?: unknown;
  /** Send the caller's token. */
  own?: boolean;
  /** Do not retry, except once with a fresh token after a 401. */
  once?: boolean;
  /** No cache may answer without asking the API first (`no-cache`). */
  fresh?: boolean;
  /** Called with the headers of the answer. */
  seen?: (headers: Headers) => void;
}

export type Ask = <Answer>(path: string, call?: Query, asking?: Asking) => Promise<Answer>;

export type Open = (path: string, query: Query, signal: AbortSignal) => Promise<Response>;

// A longer Retry-After is left to the caller: the request rejects, and the error says how long.
const longestWait = 20; // seconds
const firstWait = 0.25; // seconds; doubled for each retry, and multiplied by a random share
const minute = 60_000;

export function transport({ baseUrl, getToken, fetch: given, timeout = 10_000, maxRetries = 2, requestsPerMinute = 120 }: ClientOptions) {
  const send: typeof fetch = (url, init) => (given ?? fetch)(url, init);
  const base = baseUrl.replace(/\/+$/, "") + "/v1";
  let sent: number[] = [];

  function trip() {
    const now = Date.now();
    sent = sent.filter((at) => at > now - minute);
    if (sent.length >= requestsPerMinute) {
      const detail = requestsPerMinute + " requests in a minute: look for a loop, or raise requestsPerMinute";
      throw failed({ status: 0, code: "trip-wire", detail });
    }
    sent.push(now);
  }

  // Makes one attempt. The timeout covers sending the request and reading the whole answer.
  async function attempt(url: string, init: RequestInit, signal: AbortSignal | undefined, seen: Asking["seen"]): Promise<any> {
    signal?.throwIfAborted();
    trip();
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(stop), timeout);
    const abort = () => stop.abort();
    signal?.addEventListener("abort", abort);
    try {
      const response = await send(url, { ...init, signal: stop.signal });
      const answer = await read(response);
      seen?.(response.headers);
      return answer;
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof LeaderboardsError) throw cause;
      throw failed(
        stop.signal.reason === stop
          ? { status: 0, code: "timeout", detail: `no answer within ${timeout} ms`, cause }
          : { status: 0, code: "network", detail: "no answer: " + cause, cause },
      );
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  // JSON drops the parameters that are undefined.
  const address = (path: string, query: Query) => base + path + ("?" + new URLSearchParams(JSON.parse(JSON.stringify(query)))).replace(/\?$/, "");

  const ask: Ask = async (path, call = {}, { method = "GET", body, own, once, fresh, seen } = {}) => {
    const { signal, idempotencyKey, ...query } = call as KeyedCall;
    const url = address(path, query);
    const headers: Record<string, string> = {};
    const init: RequestInit = { method, headers };
    if (body) {
      headers["Content-Type"] = "application/json";
      init.body = JSON.stringify(body);
    }
    // All attempts have one key, so the request takes effect once, even if an answer is lost.
    if (method === "POST" && own) headers["Idempotency-Key"] = `"${idempotencyKey ?? newKey()}"`;
    // Some Workers have no cache modes, and throw if one is set.
    if (fresh && "cache" in Request.prototype) init.cache = "no-cache";

    for (let tries = once ? maxRetries : 0, renewed = false; ; ) {
      if (own) {
        const token = await getToken?.({ fresh: renewed });
        if (!token) throw failed({ status: 401, code: "unauthenticated", detail: "sign in first: getToken gave no token" });
        headers.Authorization = "Bearer " + token;
      }
      try {
        return await attempt(url, init, signal, seen);
      } catch (error) {
        const { status, retryAfter } = error as LeaderboardsError;
        if (status === 401 && own && !renewed) {
          renewed = true;
          continue;
        }
        if (!passes(error) || tries++ >= maxRetries || retryAfter! > longestWait) throw error;
        await wait((retryAfter ?? Math.random() * firstWait * 2 ** tries) * 1000, signal);
      }
    }
  };
  // Opens a stream: one attempt without timeout or token; the caller reads the body.
  const open: Open = (path, query, signal) => {
    trip();
    return send(address(path, query), { headers: { Accept: "text/event-stream" }, signal });
  };
  return { ask, open };
}

/** Reports whether a failure is temporary: the same request may succeed a little later. */
export function passes(error: unknown): error is LeaderboardsError {
  const { status, code, retryAfter } = error as LeaderboardsError;
  // 0: no answer; 409: the first request with this key is still running.
  return status === 409 ? retryAfter !== undefined : /^(0|408|429|5(?!01)..)$/.test("" + status) && code !== "trip-wire";
}

/** Waits `ms` milliseconds; rejects with the signal's reason when the signal is aborted. */
export const wait = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      signal?.aborted ? reject(signal.reason) : resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
  });

type Refusal = Partial<Omit<Problem, "code"> & { code: string }>;

async function read(response: Response) {
  const { ok, status, headers } = response;
  const text = await response.text();
  if (status === 204) return;
  const kind = headers.get("Content-Type");
  if (ok && !/json/.test(kind!)) {
    throw odd(kind + " instead of JSON: does baseUrl lead to the API?");
  }
  let answer;
  try {
    answer = Object(JSON.parse(text));
  } catch (cause) {
    if (ok) throw cause;
    answer = {}; // a gateway's own page, which is not JSON
  }
  if (ok) return answer;
  const { code = "http-" + status, detail = "status " + status, type, title, errors, open_dates: openDates, instance: requestId } = answer as Refusal;
  throw failed({ status, code, detail, type, title, errors, openDates, requestId, retryAfter: seconds(headers.get("Retry-After")) });
}

// Retry-After is a number of seconds or a date (RFC 9110, section 10.2.3).
function seconds(text: string | null) {
  if (!text) return;
  const value = /^\d+$/.test(text) ? +text : (Date.parse(text) - Date.now()) / 1000;
  return isNaN(value) ? undefined : Math.max(0, value);
}

// 128 random bits. Pages that are not served over https have no crypto.randomUUID.
const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join("-");
