// A duel as it changes: as a stream where the API has one, and asked for again and again
// where it has none.
import type { Client } from "./client.ts";
import { shown } from "./live.ts";
import { beginning, events, silence, streams } from "./sse.ts";
import { passes, wait, type Call, type ClientOptions } from "./transport.ts";
import type { Duel } from "./types.ts";

export type WatchOptions = Call & Pick<ClientOptions, "baseUrl" | "getToken" | "fetch"> & {
  /** Milliseconds between two questions where the API has no streams; 5,000. */
  interval?: number;
  /** Is told of failures that pass; the next question then comes later. */
  onError?: (error: Error) => void;
};

const longestPause = 60_000;

/**
 * Yields a duel as it is, and at each change, until it is decided, has expired, or is not the player's to see any more.
 * `baseUrl` is where duels are streamed: the API itself, or the address that it names for that.
 */
export async function* watchDuel(
  client: Pick<Client, "duel">,
  id: string,
  { baseUrl, getToken, fetch: given, interval = 5_000, onError, signal }: WatchOptions,
): AsyncGenerator<Duel, void, undefined> {
  const url = baseUrl.replace(/\/+$/, "") + "/v1/live/duels/" + encodeURIComponent(id);
  let told = "";
  let never = false;

  // Yields what is new. It returns whether the duel is over.
  async function* stream(): AsyncGenerator<Duel, boolean, undefined> {
    const stop = new AbortController();
    const abort = (_?: unknown) => stop.abort();
    const hide = () => document.hidden && abort();
    let held = false;
    let timer = setTimeout(() => abort((held = true)), beginning);
    signal?.addEventListener("abort", abort);
    globalThis.document?.addEventListener("visibilitychange", hide);
    try {
      const token = await getToken?.({ fresh: false });
      const headers: Record<string, string> = { Accept: "text/event-stream" };
      if (token) headers.Authorization = "Bearer " + token;
      const response = await (given ?? fetch)(url, { headers, signal: stop.signal });
      const there = streams(response);
      never = there === null;
      if (!there) return false;
      for await (const [kind, data] of events(response)) {
        clearTimeout(timer);
        timer = setTimeout(abort, silence);
        if (kind === "duel" && data !== told) yield JSON.parse((told = data)) as Duel;
        if (kind === "closed") return true;
      }
    } catch {
      signal?.throwIfAborted();
      never = held; // else it was cut; the duel is asked for, and then the stream again
    } finally {
      clearTimeout(timer);
      abort();
      signal?.removeEventListener("abort", abort);
      globalThis.document?.removeEventListener("visibilitychange", hide);
    }
    return false;
  }

  try {
    for (let pause = interval; ; ) {
      await shown(signal);
      if (!never && (yield* stream())) return;
      await shown(signal);
      try {
        const duel = await client.duel(id, { signal });
        pause = interval;
        if (JSON.stringify(duel) !== told) yield duel;
        told = JSON.stringify(duel);
        if (duel.status === "decided" || duel.status === "expired") return;
      } catch (error) {
        if (!passes(error)) throw error;
        onError?.(error);
        pause = Math.max(Math.min(2 * pause, longestPause), (error.retryAfter ?? 0) * 1000);
      }
      await wait(pause, signal);
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
