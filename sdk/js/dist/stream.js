import { beginning, events, silence, streams } from "./sse.js";
/** The `stream` option of `createClient`. It ends when the web page is hidden, and when the connection is cut. */
export const stream = async function* (open, mode, query, signal) {
    if (globalThis.document?.hidden)
        return false;
    const stop = new AbortController();
    const abort = (_) => stop.abort();
    const hide = () => document.hidden && abort();
    let held = false;
    let timer = setTimeout(() => abort((held = true)), beginning);
    signal?.addEventListener("abort", abort);
    globalThis.document?.addEventListener("visibilitychange", hide);
    try {
        const response = await open("/live/" + encodeURIComponent(mode), query, stop.signal);
        const there = streams(response);
        if (!there)
            return there;
        let page;
        for await (const [kind, data] of events(response)) {
            clearTimeout(timer);
            timer = setTimeout(abort, silence);
            if (kind === "board" || kind === "closed")
                page = JSON.parse(data);
            else if (kind === "change" && page)
                page = changed(page, JSON.parse(data));
            else if (kind === "stale" && page)
                page = { ...page, stale: true };
            else
                continue;
            yield page;
            if (kind === "closed" || page.closed)
                return true;
        }
        return false;
    }
    catch {
        signal?.throwIfAborted();
        return held ? null : false; // false (cut): the caller requests the board, then opens a stream again
    }
    finally {
        clearTimeout(timer);
        abort();
        signal?.removeEventListener("abort", abort);
        globalThis.document?.removeEventListener("visibilitychange", hide);
    }
};
/** Returns the page with a change applied. */
export function changed({ stale: _, ...page }, { entries, gone, total, updated_at }) {
    const other = new Set([...gone, ...entries.map((row) => row.player)]);
    const rows = [...page.entries.filter((row) => !other.has(row.player)), ...entries];
    return { ...page, total, updated_at, entries: rows.sort((a, b) => a.rank - b.rank) };
}
