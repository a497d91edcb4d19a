import { type Call, type ClientOptions } from "./transport.ts";
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
export declare function createLeagues(options: ClientOptions): Leagues;
export {};
