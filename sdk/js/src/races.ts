// Races: up to five players, one challenge, one start.
import { transport, type Call, type ClientOptions } from "./transport.ts";
import type { components } from "./types.gen.ts";

export type Race = components["schemas"]["Race"];
export type RaceSeat = components["schemas"]["RaceSeat"];
export type RaceProgresses = components["schemas"]["RaceProgresses"];

/** What a player may do about races. Every method may be called again: what has happened is answered as it was. */
export interface Races {
  /** Makes a race with oneself in it; others join by its id, and, without `invite`, by the queue. */
  make(race: { mode: string; players?: number; invite?: boolean }, call?: Call): Promise<Race>;
  /** Finds a race that waits, or opens one. Call it every second or two until `state` is `ready`. */
  queue(mode: string, call?: Call): Promise<Race>;
  /** Leaves the race that waits. */
  leaveQueue(call?: Call): Promise<{ status: "left" }>;
  race(id: string, call?: Call): Promise<Race>;
  join(id: string, call?: Call): Promise<Race>;
  /** Gives a seat up; in a race that has started one is last. */
  leave(id: string, call?: Call): Promise<Race>;
  /** Tells how far one has come, from 0 to 1, at most four times a second. */
  progress(id: string, progress: number, call?: Call): Promise<RaceProgresses>;
}

export function races(options: ClientOptions): Races {
  const { ask } = transport({ requestsPerMinute: 400, ...options }); // progress alone is 240
  const at = (id: string, act = "") => "/races/" + encodeURIComponent(id) + act;
  const send = <T>(path: string, call?: Call, body?: unknown, method = "POST") => ask<T>(path, call, { method, own: true, body });
  return {
    make: (race, call) => send("/races", call, race),
    queue: (mode, call) => send("/races/queue", call, { mode }),
    leaveQueue: (call) => send("/races/queue", call, undefined, "DELETE"),
    race: (id, call) => ask(at(id), call, { own: true }),
    join: (id, call) => send(at(id, "/join"), call),
    leave: (id, call) => send(at(id, "/leave"), call),
    progress: (id, progress, call) => send(at(id, "/progress"), call, { progress }),
  };
}

/** Milliseconds from the answer on until the race starts, whatever this page's clock says; undefined while it waits. */
export const startsIn = (race: Pick<Race, "now" | "starts_at">): number | undefined =>
  race.starts_at ? Date.parse(race.starts_at) - Date.parse(race.now) : undefined;
