// How the scores of a board are distributed.
import { transport, type Call, type ClientOptions } from "./transport.ts";
import type { components } from "./types.gen.ts";
import type { QueryOf } from "./types.ts";

export type Distribution = components["schemas"]["Distribution"];

export interface Distributions {
  /** For ranges of scores, lowest first, how many players have a score in each. */
  of(mode: string, query?: QueryOf<"getDistribution"> & Call): Promise<Distribution>;
  /** The same, with the caller's range in `me`. */
  own(mode: string, query?: QueryOf<"getDistribution"> & Call): Promise<Distribution>;
}

export function createDistributions(options: ClientOptions): Distributions {
  const { ask } = transport(options);
  const path = (mode: string) => `/leaderboards/${encodeURIComponent(mode)}/distribution`;
  return {
    of: (mode, query) => ask(path(mode), query),
    own: (mode, query) => ask(path(mode), query, { own: true }),
  };
}
