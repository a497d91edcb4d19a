// The caller's own league: a module of its own, so that pages without it do not load it.
import { transport, type Call, type ClientOptions } from "./transport.ts";
import type { components } from "./types.gen.ts";

type Schemas = components["schemas"];
export type League = Schemas["League"];
export type LeagueEntry = Schemas["LeagueEntry"];
export type LeagueResult = Schemas["LeagueResult"];
export type LeagueZone = Schemas["LeagueZone"];

export interface Leagues {
  /** The caller's cohort of this week, and how the caller's past weeks ended. */
  mine(call?: Call): Promise<League>;
}

export function createLeagues(options: ClientOptions): Leagues {
  const { ask } = transport(options);
  return { mine: (call) => ask("/leagues/me", call, { own: true }) };
}
