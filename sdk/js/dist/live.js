// Follows a board: by requests at an interval, or by a stream if the client was given
// `stream`.
import { passes, wait } from "./transport.js";
const longestPause = 60_000;
export async function* follow(read, open, streams, mode, { interval = 5_000, onError, signal, ...query } = {}) {
    try {
        for (let pause = interval;;) {
            await shown(signal);
            try {
                const page = await read(mode, { ...query, signal });
                pause = interval;
                yield page;
                if (page.closed)
                    return;
                await wait(pause, signal);
                // Open no stream before the first pause is over: most visits end earlier.
                const closed = streams.stream && (yield* streams.stream(open, mode, query, signal));
                if (closed)
                    return;
                if (closed === null)
                    delete streams.stream;
            }
            catch (error) {
                if (!passes(error))
                    throw error;
                onError?.(error);
                pause = Math.max(Math.min(2 * pause, longestPause), (error.retryAfter ?? 0) * 1000);
                await wait(pause, signal);
            }
        }
    }
    catch (error) {
        if (!signal?.aborted)
            throw error;
    }
}
/** Waits while the web page is hidden; outside a browser it does not wait. Rejects when the signal is aborted. */
export const shown = (signal) => new Promise((resolve, reject) => {
    const page = globalThis.document;
    const change = () => {
        if (page?.hidden && !signal?.aborted)
            return;
        page?.removeEventListener("visibilitychange", change);
        signal?.removeEventListener("abort", change);
        signal?.aborted ? reject(signal.reason) : resolve();
    };
    page?.addEventListener("visibilitychange", change);
    signal?.addEventListener("abort", change);
    change();
});
