import { type Call, type ClientOptions } from "./transport.ts";
import type { components } from "./types.gen.ts";
import type { QueryOf } from "./types.ts";
export type Distribution = components["schemas"]["Distribution"];
export interface Distributions {
    /** How many players have how many points. */
    of(mode: string, query?: QueryOf<"getDistribution"> & Call): Promise<Distribution>;
    /** The same, and in `me` where the caller is. */
    own(mode: string, query?: QueryOf<"getDistribution"> & Call): Promise<Distribution>;
}
export declare function createDistributions(options: ClientOptions): Distributions;
