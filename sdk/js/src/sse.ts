// Server-sent events, read by fetch: EventSource sends no token, and cannot be told from
// outside why it failed.

/** Milliseconds after which a stream is dead that has said nothing: it beats every 15 s. */
export const silence = 45_000;

/** Milliseconds after which a stream is held back on the way that has not begun: its first event comes at once. */
export const beginning = 10_000;

/** Yields kind and data of each event, and "" for a beat, until the stream ends. */
export async function* events({ body }: Response): AsyncGenerator<[kind: string, data: string], void, undefined> {
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; ; ) {
    const { value, done } = await reader.read();
    if (done) return;
    const all = (text += value).split(/\r?\n\r?\n/);
    text = all.pop()!;
    yield ["", ""];
    for (const event of all) {
      // Data is JSON, which has no line breaks.
      const [, kind, data] = /^event: ?(.*)\r?\ndata: ?(.*)/m.exec(event) ?? [];
      if (kind) yield [kind, data!];
    }
  }
}

/** Whether an answer is a stream; false: not just now, null: never. */
export const streams = ({ ok, status, headers, body }: Response) =>
  ok && body && headers.get("Content-Type")?.includes("text/event-stream") ? true : /^(401|429|503)$/.test("" + status) ? false : null;
