/** Milliseconds without any data after which a stream counts as dead: the API sends a heartbeat every 15 s. */
export declare const silence = 45000;
/**
 * Milliseconds within which a stream has to begin. The API sends the first event at once; if it does not arrive,
 * something on the way holds the stream back.
 */
export declare const beginning = 10000;
/** Yields kind and data of each event until the stream ends, and two empty texts whenever anything arrives. */
export declare function events({ body }: Response): AsyncGenerator<[kind: string, data: string], void, undefined>;
/** Returns true if an answer is a stream, false if the API has none just now (401, 429, 503), null if it never has. */
export declare const streams: ({ ok, status, headers, body }: Response) => boolean | null;
