/** Milliseconds after which a stream is dead that has said nothing: it beats every 15 s. */
export declare const silence = 45000;
/** Milliseconds after which a stream is held back on the way that has not begun: its first event comes at once. */
export declare const beginning = 10000;
/** Yields kind and data of each event, and "" for a beat, until the stream ends. */
export declare function events({ body }: Response): AsyncGenerator<[kind: string, data: string], void, undefined>;
/** Whether an answer is a stream; false: not just now, null: never. */
export declare const streams: ({ ok, status, headers, body }: Response) => boolean | null;
