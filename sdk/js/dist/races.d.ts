import { type Call, type ClientOptions } from "./transport.ts";
import type { components } from "./types.gen.ts";
export type Race = components["schemas"]["Race"];
export type RaceSeat = components["schemas"]["RaceSeat"];
export type RaceProgresses = components["schemas"]["RaceProgresses"];
/** A player's methods for races. Each may be called again: a call that changes nothing more answers the same. */
export interface Races {
    /** Makes a race and gives the caller its first seat. Others join by its id and, without `invite`, from the queue. */
    make(race: {
        mode: string;
        players?: number;
        invite?: boolean;
    }, call?: Call): Promise<Race>;
    /** Joins a waiting race of the mode, or opens one. Call it every second or two until `state` is `ready`. */
    queue(mode: string, call?: Call): Promise<Race>;
    /** Leaves the caller's waiting race. It does not end a race that has started: see `leave`. */
    leaveQueue(call?: Call): Promise<{
        status: "left";
    }>;
    race(id: string, call?: Call): Promise<Race>;
    join(id: string, call?: Call): Promise<Race>;
    /** Gives up the caller's seat. In a race that has started, the caller gives up and will be last. */
    leave(id: string, call?: Call): Promise<Race>;
    /** Reports how much the caller has done, from 0 to 1. Call it at most four times a second. */
    progress(id: string, progress: number, call?: Call): Promise<RaceProgresses>;
}
export declare function races(options: ClientOptions): Races;
/**
 * Milliseconds from the answer to the start of the race, both by the API's clock, so that a wrong clock here does not
 * matter; undefined while the race waits.
 */
export declare const startsIn: (race: Pick<Race, "now" | "starts_at">) => number | undefined;
