import type { Client } from "./client.ts";
import { type Call, type ClientOptions } from "./transport.ts";
import type { Duel } from "./types.ts";
export type WatchOptions = Call & Pick<ClientOptions, "baseUrl" | "getToken" | "fetch"> & {
    /** Milliseconds between two requests while no stream is open; 5,000 by default. */
    interval?: number;
    /** Called with each temporary failure. The next request then comes later: up to 60 s, or as Retry-After says. */
    onError?: (error: Error) => void;
};
/**
 * Yields a duel as it is, and again at each change, until the duel is decided or has expired, the player may no longer
 * see it, or the signal is aborted. It rejects with the first failure that is not temporary, and sends nothing while
 * the web page is hidden. `baseUrl` is the address that streams duels: the API's, or the one that it names for streams.
 */
export declare function watchDuel(client: Pick<Client, "duel">, id: string, { baseUrl, getToken, fetch: given, interval, onError, signal }: WatchOptions): AsyncGenerator<Duel, void, undefined>;
