// The operator's routes. getToken has to return the operator's token: never put it into
// pages that players see.
import { transport, type Call, type ClientOptions, type Query } from "./transport.ts";
import type * as t from "./types.ts";
import type { QueryOf } from "./types.ts";

export interface Ops {
  /** Billed Redis commands by UTC day and function, oldest day first, and what the month comes to. */
  usage(query?: QueryOf<"getUsage"> & Call): Promise<t.Usage>;
  /** Whether Redis and the database answer. Rejects with status 503 if Redis does not. */
  health(query?: QueryOf<"getHealth"> & Call): Promise<t.Health>;
  /** The state of writes, schedules, days, dead letters and database, and what to do about problems. */
  status(call?: Call): Promise<t.Status>;
  /** The bans, newest first; without a database only their number. */
  bans(query?: QueryOf<"listBans"> & Call): Promise<t.KeptBans>;
  /** Bans a player, and takes out the player's entries of days that still take changes. */
  ban(player: string, ban?: { reason?: string }, call?: Call): Promise<t.Removal>;
  /** Lifts a ban. The entries stay out. */
  unban(player: string, call?: Call): Promise<t.Removal>;
  /** Players whose names begin with `name`, 20 a page; a `NoDatabaseError` without a database. */
  players(query: QueryOf<"findPlayers"> & Call): Promise<t.NamedPlayers>;
  /** Everything that is kept of a player, by pages. */
  player(id: string, query?: QueryOf<"readPlayer"> & Call): Promise<t.PlayerDocument>;
  /** Erases a player. A ban stays. */
  removePlayer(id: string, call?: Call): Promise<t.Erasure>;
  /** Takes out a player's entry of one day, in every scope; a `NotRemovableError` if that cannot be computed. */
  removeScore(score: t.ScoreOf, call?: Call): Promise<t.Removal>;
  /** What operators, players who erase themselves and schedules did, newest first. */
  log(query?: QueryOf<"readLog"> & Call): Promise<t.Log>;
  /** What submissions did, of a player, for a mode, or both. In a game without `audit` it is `not-found`. */
  audit(query: QueryOf<"readAudit"> & Call): Promise<t.ScoreAudit>;
  /** Players and results by date and mode, from the database. */
  statistics(query?: QueryOf<"getStatistics"> & Call): Promise<t.Statistics>;
  /** Scores that are held off the boards until an operator lets them pass, oldest first. */
  held(query?: QueryOf<"listHeld"> & Call): Promise<t.HeldList>;
  /** Lets a held score onto the boards of its day; a `DateClosedError` if the day takes no more changes. */
  passHeld(id: string, call?: Call): Promise<t.Result>;
  /** Drops a held score: it never counts. Its player is not told. */
  dropHeld(id: string, call?: Call): Promise<void>;
  /** Whether writes wait, since when and until when. */
  maintenance(call?: Call): Promise<t.MaintenanceState>;
  /** Makes writes wait, until `until` at the latest. Every process has noticed after 15 minutes. */
  setMaintenance(maintenance: t.Maintenance, call?: Call): Promise<t.MaintenanceState>;
  /** Ends maintenance. Every process has noticed within a minute. */
  endMaintenance(call?: Call): Promise<t.MaintenanceState>;
  /** How many scheduled runs failed for good and queued scores could not be written, with up to 10 of each. */
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
    players: (query) => call("GET", "players", query),
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
