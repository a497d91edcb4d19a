import { type Call, type ClientOptions } from "./transport.ts";
import type { components } from "./types.gen.ts";
import type { QueryOf } from "./types.ts";
export type WorldBoard = components["schemas"]["WorldBoard"];
export interface Worlds {
    /** A run of entries, and what each site has to do with them. */
    page(mode: string, query?: QueryOf<"getWorld"> & Call): Promise<WorldBoard>;
    /** The same, and in `me` where the caller stands. */
    own(mode: string, query?: QueryOf<"getWorld"> & Call): Promise<WorldBoard>;
}
export declare function createWorlds(options: ClientOptions): Worlds;
