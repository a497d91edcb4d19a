import { type Call, type ClientOptions } from "./transport.ts";
import type * as t from "./types.ts";
import type { QueryOf } from "./types.ts";
export interface Ops {
    usage(query?: QueryOf<"getUsage"> & Call): Promise<t.Usage>;
    health(query?: QueryOf<"getHealth"> & Call): Promise<t.Health>;
    status(call?: Call): Promise<t.Status>;
    bans(query?: QueryOf<"listBans"> & Call): Promise<t.KeptBans>;
    ban(player: string, ban?: {
        reason?: string;
    }, call?: Call): Promise<t.Removal>;
    unban(player: string, call?: Call): Promise<t.Removal>;
    player(id: string, query?: QueryOf<"readPlayer"> & Call): Promise<t.PlayerDocument>;
    removePlayer(id: string, call?: Call): Promise<t.Erasure>;
    removeScore(score: t.ScoreOf, call?: Call): Promise<t.Removal>;
    log(query?: QueryOf<"readLog"> & Call): Promise<t.Log>;
    /** What submissions did, of a player, a mode or both, in games with an audit. */
    audit(query: QueryOf<"readAudit"> & Call): Promise<t.ScoreAudit>;
    /** Who plays, by date and mode. */
    statistics(query?: QueryOf<"getStatistics"> & Call): Promise<t.Statistics>;
    /** Scores that wait until one is let pass. */
    held(query?: QueryOf<"listHeld"> & Call): Promise<t.HeldList>;
    passHeld(id: string, call?: Call): Promise<t.Result>;
    dropHeld(id: string, call?: Call): Promise<void>;
    maintenance(call?: Call): Promise<t.MaintenanceState>;
    setMaintenance(maintenance: t.Maintenance, call?: Call): Promise<t.MaintenanceState>;
    endMaintenance(call?: Call): Promise<t.MaintenanceState>;
    deadLetters(call?: Call): Promise<t.DeadLetters>;
    /** Begins to send queued scores back that could not be written. */
    redrive(call?: Call): Promise<t.Redrive>;
}
export declare function createOps(options: ClientOptions): Ops;
