// How everybody on a board did.
import { transport, type Call, type ClientOptions } from "./transport.ts";
import type { components } from "./types.gen.ts";
import type { QueryOf } from "./types.ts";

export type Distribution = components["schemas"]["Distribution"];

export interface Distributions {
  /** How many players have how many points. */
  of(mode: string, query?: QueryOf<"getDistribution"> & Call): Promise<Distribution>;
  /** The same, and in `me` where the caller is. */
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
