// A stream beats every 15 s. One that is silent for longer than three of those is dead.
const silence = 45_000;
/** What `createClient({ stream })` takes. It ends while the page is hidden, and when the stream is cut. */
export const stream = async function* (open, mode, query, signal) {
    if (globalThis.document?.hidden)
        return false;
    const stop = new AbortController();
    const abort = () => stop.abort();
    const hide = () => document.hidden && abort();
    let timer = setTimeout(abort, silence);
    signal?.addEventListener("abort", abort);
    globalThis.document?.addEventListener("visibilitychange", hide);
    try {
        const response = await open("/live/" + encodeURIComponent(mode), query, stop.signal);
        if (!response.ok || !response.headers.get("Content-Type")?.includes("text/event-stream") || !response.body) {
            return /^(429|503)$/.test("" + response.status) ? false : null; // not just now, or never
        }
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
        let page;
        for (let text = "";;) {
            const { value, done } = await reader.read();
            if (done)
                return false;
            clearTimeout(timer);
            timer = setTimeout(abort, silence);
            const events = (text += value).split(/\r?\n\r?\n/);
            text = events.pop();
            for (const event of events) {
                const kind = /^event: ?(.*)/m.exec(event)?.[1];
                const data = [...event.matchAll(/^data: ?(.*)/gm)].map(([, line]) => line).join("\n");
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
        }
    }
    catch {
        signal?.throwIfAborted();
        return false; // cut; the board is asked for, and then the stream again
    }
    finally {
        clearTimeout(timer);
        abort();
        signal?.removeEventListener("abort", abort);
        globalThis.document?.removeEventListener("visibilitychange", hide);
    }
};
/** The page after a change. */
export function changed({ stale: _, ...page }, { entries, gone, total, updated_at }) {
    const other = new Set([...gone, ...entries.map((row) => row.player)]);
    const rows = [...page.entries.filter((row) => !other.has(row.player)), ...entries];
    return { ...page, total, updated_at, entries: rows.sort((a, b) => a.rank - b.rank) };
}
