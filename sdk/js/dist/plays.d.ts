import type { Client } from "./client.ts";
import { type Call, type ClientOptions, type KeyedCall } from "./transport.ts";
import type * as t from "./types.ts";
/** A play that was taken, and when by this page's clock. */
export type Started = t.Play & {
    readonly startedAt: number;
};
/** Takes a play, whose time runs from now on: take it when the player begins. */
export declare function startPlay(options: ClientOptions, mode: string, call?: Call & {
    date?: string;
}): Promise<Started>;
/** Sends what a play came to: a proof, a score, or values. It counts once, however often it has to be sent. */
export declare const submitPlay: (client: Client, play: Started, came: Omit<t.Submission, "mode" | "play" | "elapsed" | "date">, call?: KeyedCall) => Promise<t.Result | t.QueuedResult>;
/**
 * Records the keys of a field while a test is typed. It counts those that write, and leaves out modifiers, Backspace,
 * shortcuts, and what a held key repeats.
 */
export declare class Recorder {
    #private;
    /** `seconds` are those of the challenge: keys after that do not count. */
    constructor(from: EventTarget, seconds?: number);
    /** How many keys have counted so far. */
    get keys(): number;
    /** Ends the recording. `typed` is the text as it stands. */
    stop(typed: string): t.KeystrokesProof;
}
