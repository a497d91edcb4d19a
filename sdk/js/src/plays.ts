// Plays, for modes that ask for one, and the proof of a typing test.
import type { Client } from "./client.ts";
import { transport, type Call, type ClientOptions, type KeyedCall } from "./transport.ts";
import type * as t from "./types.ts";

/** A play that was taken; `startedAt` is the moment, in milliseconds by `performance.now()`. */
export type Started = t.Play & { readonly startedAt: number };

/** Takes a play for a mode and an open date. Its time runs from now on, so take it when the player begins. */
export async function startPlay(options: ClientOptions, mode: string, call?: Call & { date?: string }): Promise<Started> {
  const { date, ...rest } = call ?? {};
  const play = await transport(options).ask<t.Play>("/plays", rest, { method: "POST", own: true, body: date ? { mode, date } : { mode } });
  return { ...play, startedAt: performance.now() };
}

/**
 * Submits the result of a play: a proof, a score or values. It adds the milliseconds since the play was taken as
 * `elapsed`. All attempts carry one Idempotency-Key, so the result counts once.
 */
export const submitPlay = (
  client: Client,
  play: Started,
  came: Omit<t.Submission, "mode" | "play" | "elapsed" | "date">,
  call?: KeyedCall,
): Promise<t.Result | t.QueuedResult> =>
  client.submit({ ...came, mode: play.mode, play: play.play, elapsed: Math.round(performance.now() - play.startedAt) } as t.Submission, call);

// Keys that have no character in `key` and write text all the same: Dead and Process in
// languages that compose characters, Unidentified on touch keyboards, Enter for new lines.
const written = /^(Enter|Dead|Process|Unidentified)$/;

/**
 * Records the keys of a field while the player types a test. It counts the keys that write text. It does not count
 * modifiers, Backspace, shortcuts and the repeats of a held key.
 */
export class Recorder {
  #from: EventTarget;
  #seconds: number;
  #downs: { at: number; up?: number }[] = [];
  #held = new Map<string, { at: number; up?: number }>();

  /** `seconds` is the duration of the challenge, from the first counted key on: later keys do not count. */
  constructor(from: EventTarget, seconds = Infinity) {
    this.#from = from;
    this.#seconds = seconds;
    from.addEventListener("keydown", this.#down);
    from.addEventListener("keyup", this.#up);
  }

  #down = (event: Event) => {
    const { key, code, repeat, ctrlKey, metaKey, timeStamp: at } = event as KeyboardEvent;
    const shortcut = (ctrlKey || metaKey) && !(event as KeyboardEvent).getModifierState?.("AltGraph");
    if (repeat || shortcut || !([...key].length === 1 || written.test(key))) return;
    const first = this.#downs[0]?.at ?? at;
    if (Math.round(at - first) > this.#seconds * 1000) return;
    const down = { at };
    this.#downs.push(down);
    this.#held.set(code || key, down);
  };

  #up = (event: Event) => {
    const { key, code, timeStamp } = event as KeyboardEvent;
    const down = this.#held.get(code || key);
    if (down) down.up = timeStamp;
    this.#held.delete(code || key);
  };

  /** How many keys were counted so far. */
  get keys(): number {
    return this.#downs.length;
  }

  /**
   * Ends the recording and returns the proof: `gaps` are the milliseconds from each counted key to the one before it (0
   * for the first), `holds` how long each was held. `typed` is the text in the field.
   */
  stop(typed: string): t.KeystrokesProof {
    this.#from.removeEventListener("keydown", this.#down);
    this.#from.removeEventListener("keyup", this.#up);
    const now = performance.now();
    // Round before subtracting, so that the gaps add up to the whole time.
    const at = this.#downs.map((down) => Math.round(down.at));
    return {
      typed,
      gaps: at.map((ms, i) => (i ? Math.max(ms - at[i - 1]!, 0) : 0)),
      holds: this.#downs.map((down) => Math.max(Math.round((down.up ?? now) - down.at), 0)),
    };
  }
}
