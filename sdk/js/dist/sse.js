// Server-sent events, read with fetch: EventSource sends no token, and does not report why
// it failed.
/** Milliseconds without any data after which a stream counts as dead: the API sends a heartbeat every 15 s. */
export const silence = 45_000;
/**
 * Milliseconds within which a stream has to begin. The API sends the first event at once; if it does not arrive,
 * something on the way holds the stream back.
 */
export const beginning = 10_000;
/** Yields kind and data of each event until the stream ends, and two empty texts whenever anything arrives. */
export async function* events({ body }) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = "";;) {
        const { value, done } = await reader.read();
        if (done)
            return;
        const all = (text += value).split(/\r?\n\r?\n/);
        text = all.pop();
        yield ["", ""];
        for (const event of all) {
            // Data is JSON, which has no line breaks.
            const [, kind, data] = /^event: ?(.*)\r?\ndata: ?(.*)/m.exec(event) ?? [];
            if (kind)
                yield [kind, data];
        }
    }
}
/** Returns true if an answer is a stream, false if the API has none just now (401, 429, 503), null if it never has. */
export const streams = ({ ok, status, headers, body }) => ok && body && headers.get("Content-Type")?.includes("text/event-stream") ? true : /^(401|429|503)$/.test("" + status) ? false : null;
