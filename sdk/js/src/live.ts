// A board as it changes: asked for again and again, or as a stream where the client
// was given what reads one.
import { passes, wait, type Call, type Open, type Stream } from "./transport.ts";
import type { BoardQuery, Page } from "./types.ts";

export type LiveOptions = BoardQuery & Call & {
  /** Milliseconds between two questions where the API has no streams; 5,000. */
  interval?: number;
  /** Is told of failures that pass; the next question then comes later. */
  onError?: (error: Error) => void;
};

const longestPause = 60_000;

export async function* follow(
  read: (mode: string, query: BoardQuery & Call) => Promise<Page>,
  open: Open,
  streams: { stream?: Stream | undefined },
  mode: string,
  { interval = 5_000, onError, signal, ...query }: LiveOptions = {},
): AsyncGenerator<Page, void, undefined> {
  try {
    for (let pause = interval; ; ) {
      await shown(signal);
      try {
        const page = await read(mode, { ...query, signal });
        pause = interval;
        yield page;
        if (page.closed) return;
        await wait(pause, signal);
        // Not before the second look: most visits make one.
        const closed = streams.stream && (yield* streams.stream(open, mode, query, signal));
        if (closed) return;
        if (closed === null) delete streams.stream;
      } catch (error) {
        if (!passes(error)) throw error;
        onError?.(error);
        pause = Math.max(Math.min(2 * pause, longestPause), (error.retryAfter ?? 0) * 1000);
        await wait(pause, signal);
      }
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}

/** Waits while the page is hidden. Where there is no page there is nobody to hide from. */
export const shown = (signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const page = globalThis.document;
    const change = () => {
      if (page?.hidden && !signal?.aborted) return;
      page?.removeEventListener("visibilitychange", change);
      signal?.removeEventListener("abort", change);
      signal?.aborted ? reject(signal.reason) : resolve();
    };
    page?.addEventListener("visibilitychange", change);
    signal?.addEventListener("abort", change);
    change();
  });
