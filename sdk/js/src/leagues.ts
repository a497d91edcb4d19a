// The caller's own league. It stands apart from the client, so that pages which do not
// show it load none of it.
import { transport, type Call, type ClientOptions } from "./transport.ts";
import type { components } from "./types.gen.ts";

type Schemas = components["schemas"];
export type League = Schemas["League"];
export type LeagueEntry = Schemas["LeagueEntry"];
export type LeagueResult = Schemas["LeagueResult"];
export type LeagueZone = Schemas["LeagueZone"];

export interface Leagues {
  /** The caller's cohort of this week, and how weeks that are over ended. */
  mine(call?: Call): Promise<League>;
}

export function createLeagues(options: ClientOptions): Leagues {
  const { ask } = transport(options);
  return { mine: (call) => ask("/leagues/me", call, { own: true }) };
}
