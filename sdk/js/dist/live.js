import { passes, wait } from "./transport.js";
const longestPause = 60_000;
export async function* follow(_, read, mode, options = {}) {
    const { interval = 5_000, onError, ...query } = options;
    const { signal } = query;
    try {
        for (let pause = interval;;) {
            await shown(signal);
            let page;
            try {
                page = await read(mode, query);
                pause = interval;
            }
            catch (error) {
                if (!passes(error))
                    throw error;
                onError?.(error);
                pause = Math.max(Math.min(2 * pause, longestPause), (error.retryAfter ?? 0) * 1000);
            }
            if (page)
                yield page;
            if (page?.closed)
                return;
            await wait(pause, signal);
        }
    }
    catch (error) {
        if (!signal?.aborted)
            throw error;
    }
}
// Waits while the page is hidden. Where there is no page there is nobody to hide from.
const shown = (signal) => new Promise((resolve, reject) => {
    const page = globalThis.document;
    if (signal?.aborted)
        reject(signal.reason);
    if (!page?.hidden)
        return resolve();
    const abort = () => (stop(), reject(signal.reason));
    const change = () => page.hidden || (stop(), resolve());
    const stop = () => {
        page.removeEventListener("visibilitychange", change);
        signal?.removeEventListener("abort", abort);
    };
    page.addEventListener("visibilitychange", change);
    signal?.addEventListener("abort", abort);
});
