import { type Call, type ClientOptions } from "./transport.ts";
import type { components } from "./types.gen.ts";
export type Race = components["schemas"]["Race"];
export type RaceSeat = components["schemas"]["RaceSeat"];
export type RaceProgresses = components["schemas"]["RaceProgresses"];
/** What a player may do about races. Every method may be called again: what has happened is answered as it was. */
export interface Races {
    /** Makes a race with oneself in it; others join by its id, and, without `invite`, by the queue. */
    make(race: {
        mode: string;
        players?: number;
        invite?: boolean;
    }, call?: Call): Promise<Race>;
    /** Finds a race that waits, or opens one. Call it every second or two until `state` is `ready`. */
    queue(mode: string, call?: Call): Promise<Race>;
    /** Leaves the race that waits. */
    leaveQueue(call?: Call): Promise<{
        status: "left";
    }>;
    race(id: string, call?: Call): Promise<Race>;
    join(id: string, call?: Call): Promise<Race>;
    /** Gives a seat up; in a race that has started one is last. */
    leave(id: string, call?: Call): Promise<Race>;
    /** Tells how far one has come, from 0 to 1, at most four times a second. */
    progress(id: string, progress: number, call?: Call): Promise<RaceProgresses>;
}
export declare function races(options: ClientOptions): Races;
/** Milliseconds from the answer on until the race starts, whatever this page's clock says; undefined while it waits. */
export declare const startsIn: (race: Pick<Race, "now" | "starts_at">) => number | undefined;
