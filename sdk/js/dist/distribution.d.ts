import { type Call, type ClientOptions } from "./transport.ts";
import type { components } from "./types.gen.ts";
import type { QueryOf } from "./types.ts";
export type Distribution = components["schemas"]["Distribution"];
export interface Distributions {
    /** For ranges of scores, lowest first, how many players have a score in each. */
    of(mode: string, query?: QueryOf<"getDistribution"> & Call): Promise<Distribution>;
    /** The same, with the caller's range in `me`. */
    own(mode: string, query?: QueryOf<"getDistribution"> & Call): Promise<Distribution>;
}
export declare function createDistributions(options: ClientOptions): Distributions;
