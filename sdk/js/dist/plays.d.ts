export { align, type Alignment } from "./align.ts";
import type { Client } from "./client.ts";
import { type Call, type ClientOptions, type KeyedCall } from "./transport.ts";
import type * as t from "./types.ts";
/** A play that was taken; `startedAt` is the moment, in milliseconds by `performance.now()`. */
export type Started = t.Play & {
    readonly startedAt: number;
};
/** Takes a play for a mode and an open date. Its time runs from now on, so take it when the player begins. */
export declare function startPlay(options: ClientOptions, mode: string, call?: Call & {
    date?: string;
}): Promise<Started>;
/**
 * Submits the result of a play: a proof, a score or values. It adds the milliseconds since the play was taken as
 * `elapsed`. All attempts carry one Idempotency-Key, so the result counts once.
 */
export declare const submitPlay: (client: Client, play: Started, came: Omit<t.Submission, "mode" | "play" | "elapsed" | "date">, call?: KeyedCall) => Promise<t.Submitted>;
/**
 * Records the keys of a field while the player types a test. It counts the keys that write text. It does not count
 * modifiers, Backspace, shortcuts and the repeats of a held key. Of keys that compose characters, such as dead keys and
 * those of input methods, it finds out how many are more than the characters that they made.
 */
export declare class Recorder {
    #private;
    /** `seconds` is the duration of the challenge, from the first counted key on: later keys do not count. */
    constructor(from: EventTarget, seconds?: number);
    /** How many keys were counted so far. */
    get keys(): number;
    /**
     * Ends the recording and returns the proof: `gaps` are the milliseconds from each counted key to the one before it (0
     * for the first), `holds` how long each was held. `typed` is the text in the field. `composed` is there if keys
     * composed, or may have: the server would guess.
     */
    stop(typed: string): t.KeystrokesProof;
}
