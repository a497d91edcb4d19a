import type { Client } from "./client.ts";
import { type Call, type ClientOptions } from "./transport.ts";
import type { Duel } from "./types.ts";
export type WatchOptions = Call & Pick<ClientOptions, "baseUrl" | "getToken" | "fetch"> & {
    /** Milliseconds between two questions where the API has no streams; 5,000. */
    interval?: number;
    /** Is told of failures that pass; the next question then comes later. */
    onError?: (error: Error) => void;
};
/**
 * Yields a duel as it is, and at each change, until it is decided, has expired, or is not the player's to see any more.
 * `baseUrl` is where duels are streamed: the API itself, or the address that it names for that.
 */
export declare function watchDuel(client: Pick<Client, "duel">, id: string, { baseUrl, getToken, fetch: given, interval, onError, signal }: WatchOptions): AsyncGenerator<Duel, void, undefined>;
