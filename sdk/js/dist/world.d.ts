import { type Call, type ClientOptions } from "./transport.ts";
import type { components } from "./types.gen.ts";
import type { QueryOf } from "./types.ts";
export type WorldBoard = components["schemas"]["WorldBoard"];
export interface Worlds {
    /** A page of entries, and for each site its players, and as of when its entries are. */
    page(mode: string, query?: QueryOf<"getWorld"> & Call): Promise<WorldBoard>;
    /** The same, with the caller's standing in `me`. */
    own(mode: string, query?: QueryOf<"getWorld"> & Call): Promise<WorldBoard>;
}
export declare function createWorlds(options: ClientOptions): Worlds;
