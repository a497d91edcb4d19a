// The operator's routes. getToken has to return the operator's token: never put it into
// pages that players see.
import { transport, type Call, type ClientOptions, type Query } from "./transport.ts";
import type * as t from "./types.ts";
import type { QueryOf } from "./types.ts";

export interface Ops {
  usage(query?: QueryOf<"getUsage"> & Call): Promise<t.Usage>;
  health(query?: QueryOf<"getHealth"> & Call): Promise<t.Health>;
  status(call?: Call): Promise<t.Status>;
  bans(query?: QueryOf<"listBans"> & Call): Promise<t.KeptBans>;
  ban(player: string, ban?: { reason?: string }, call?: Call): Promise<t.Removal>;
  unban(player: string, call?: Call): Promise<t.Removal>;
  player(id: string, query?: QueryOf<"readPlayer"> & Call): Promise<t.PlayerDocument>;
  removePlayer(id: string, call?: Call): Promise<t.Erasure>;
  removeScore(score: t.ScoreOf, call?: Call): Promise<t.Removal>;
  log(query?: QueryOf<"readLog"> & Call): Promise<t.Log>;
  /** What submissions did, of a player, for a mode, or both. In a game without `audit` it is `not-found`. */
  audit(query: QueryOf<"readAudit"> & Call): Promise<t.ScoreAudit>;
  /** Players and results by date and mode, from the database. */
  statistics(query?: QueryOf<"getStatistics"> & Call): Promise<t.Statistics>;
  /** Scores that are held off the boards until an operator lets them pass, oldest first. */
  held(query?: QueryOf<"listHeld"> & Call): Promise<t.HeldList>;
  passHeld(id: string, call?: Call): Promise<t.Result>;
  dropHeld(id: string, call?: Call): Promise<void>;
  maintenance(call?: Call): Promise<t.MaintenanceState>;
  setMaintenance(maintenance: t.Maintenance, call?: Call): Promise<t.MaintenanceState>;
  endMaintenance(call?: Call): Promise<t.MaintenanceState>;
  deadLetters(call?: Call): Promise<t.DeadLetters>;
  /** Begins to send scores that could not be written back into the queue. */
  redrive(call?: Call): Promise<t.Redrive>;
}

export function createOps(options: ClientOptions): Ops {
  const { ask } = transport(options);
  const call = <T>(method: string, path: string, call?: Query, body?: unknown) => ask<T>("/ops/" + path, call, { method, own: true, body });
  const bans = (player: string) => "bans/" + encodeURIComponent(player);
  const players = (player: string) => "players/" + encodeURIComponent(player);
  const held = (id: string) => "held/" + encodeURIComponent(id);
  return {
    usage: (query) => call("GET", "usage", query),
    health: (query) => call("GET", "health", query),
    status: (query) => call("GET", "status", query),
    bans: (query) => call("GET", "bans", query),
    ban: (player, ban, query) => call("PUT", bans(player), query, ban),
    unban: (player, query) => call("DELETE", bans(player), query),
    player: (id, query) => call("GET", players(id), query),
    removePlayer: (id, query) => call("DELETE", players(id), query),
    removeScore: (score, query) => call("DELETE", "scores", query, score),
    log: (query) => call("GET", "log", query),
    audit: (query) => call("GET", "audit", query),
    statistics: (query) => call("GET", "statistics", query),
    held: (query) => call("GET", "held", query),
    passHeld: (id, query) => call("PUT", held(id), query),
    dropHeld: (id, query) => call("DELETE", held(id), query),
    maintenance: (query) => call("GET", "maintenance", query),
    setMaintenance: (state, query) => call("PUT", "maintenance", query, state),
    endMaintenance: (query) => call("DELETE", "maintenance", query),
    deadLetters: (query) => call("GET", "dead-letters", query),
    redrive: (query) => call("POST", "dead-letters/redrive", query),
  };
}
