import { shown } from "./live.js";
import { beginning, events, silence, streams } from "./sse.js";
import { passes, wait } from "./transport.js";
const longestPause = 60_000;
/**
 * Yields a duel as it is, and again at each change, until the duel is decided or has expired, the player may no longer
 * see it, or the signal is aborted. It rejects with the first failure that is not temporary, and sends nothing while
 * the web page is hidden. `baseUrl` is the address that streams duels: the API's, or the one that it names for streams.
 */
export async function* watchDuel(client, id, { baseUrl, getToken, fetch: given, interval = 5_000, onError, signal }) {
    const url = baseUrl.replace(/\/+$/, "") + "/v1/live/duels/" + encodeURIComponent(id);
    let told = "";
    let never = false;
    // Yields the duel at each change, and returns true when the duel is over.
    async function* stream() {
        const stop = new AbortController();
        const abort = (_) => stop.abort();
        const hide = () => document.hidden && abort();
        let held = false;
        let timer = setTimeout(() => abort((held = true)), beginning);
        signal?.addEventListener("abort", abort);
        globalThis.document?.addEventListener("visibilitychange", hide);
        try {
            const token = await getToken?.({ fresh: false });
            const headers = { Accept: "text/event-stream" };
            if (token)
                headers.Authorization = "Bearer " + token;
            const response = await (given ?? fetch)(url, { headers, signal: stop.signal });
            const there = streams(response);
            never = there === null;
            if (!there)
                return false;
            for await (const [kind, data] of events(response)) {
                clearTimeout(timer);
                timer = setTimeout(abort, silence);
                if (kind === "duel" && data !== told)
                    yield JSON.parse((told = data));
                if (kind === "closed")
                    return true;
            }
        }
        catch {
            signal?.throwIfAborted();
            never = held; // if held back, stream no more; if cut, request the duel and then stream again
        }
        finally {
            clearTimeout(timer);
            abort();
            signal?.removeEventListener("abort", abort);
            globalThis.document?.removeEventListener("visibilitychange", hide);
        }
        return false;
    }
    try {
        for (let pause = interval;;) {
            await shown(signal);
            if (!never && (yield* stream()))
                return;
            await shown(signal);
            try {
                const duel = await client.duel(id, { signal });
                pause = interval;
                if (JSON.stringify(duel) !== told)
                    yield duel;
                told = JSON.stringify(duel);
                if (duel.status === "decided" || duel.status === "expired")
                    return;
            }
            catch (error) {
                if (!passes(error))
                    throw error;
                onError?.(error);
                pause = Math.max(Math.min(2 * pause, longestPause), (error.retryAfter ?? 0) * 1000);
            }
            await wait(pause, signal);
        }
    }
    catch (error) {
        if (!signal?.aborted)
            throw error;
    }
}
