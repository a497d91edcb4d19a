// Boards of all sites of a game that several deployments keep.
import { transport, type Call, type ClientOptions } from "./transport.ts";
import type { components } from "./types.gen.ts";
import type { QueryOf } from "./types.ts";

export type WorldBoard = components["schemas"]["WorldBoard"];

export interface Worlds {
  /** A run of entries, and what each site has to do with them. */
  page(mode: string, query?: QueryOf<"getWorld"> & Call): Promise<WorldBoard>;
  /** The same, and in `me` where the caller stands. */
  own(mode: string, query?: QueryOf<"getWorld"> & Call): Promise<WorldBoard>;
}

export function createWorlds(options: ClientOptions): Worlds {
  const { ask } = transport(options);
  const path = (mode: string) => `/leaderboards/${encodeURIComponent(mode)}/world`;
  return {
    page: (mode, query) => ask(path(mode), query),
    own: (mode, query) => ask(path(mode), query, { own: true }),
  };
}
