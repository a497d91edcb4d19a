// Plays, for modes that ask for one, and the proof of a typing test.
export { align, type Alignment } from "./align.ts";
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
): Promise<t.Submitted> =>
  client.submit({ ...came, mode: play.mode, play: play.play, elapsed: Math.round(performance.now() - play.startedAt) } as t.Submission, call);

// Keys that have no character in `key` and write text all the same: Dead and Process in
// languages that compose characters, Unidentified on touch keyboards, Enter for new lines.
const written = /^(Enter|Dead|Process|Unidentified)$/;
const erasing = /^(Backspace|Delete)$/; // by its code: an input method takes its key

interface Down {
  at: number;
  up?: number;
  /** Whether it composed text, alone or with others. */
  part: boolean;
}

const characters = (text: string | null | undefined) => [...(text ?? "").normalize("NFC")].length;

/**
 * Records the keys of a field while the player types a test. It counts the keys that write text. It does not count
 * modifiers, Backspace, shortcuts and the repeats of a held key. Of keys that compose characters, such as dead keys and
 * those of input methods, it finds out how many are more than the characters that they made.
 */
export class Recorder {
  #from: EventTarget;
  #seconds: number;
  #downs: Down[] = [];
  #held = new Map<string, Down>();
  #made = 0; // characters that keys which composed have made
  #composition: string | null = null; // what stands now of one that has not ended
  #lost = 0; // letters that it just lost

  /** `seconds` is the duration of the challenge, from the first counted key on: later keys do not count. */
  constructor(from: EventTarget, seconds = Infinity) {
    this.#from = from;
    this.#seconds = seconds;
    for (const [type, listener] of this.#listeners) from.addEventListener(type, listener);
  }

  #down = (event: Event) => {
    this.#keepLost();
    const { key, code, repeat, ctrlKey, metaKey, isComposing, timeStamp: at } = event as KeyboardEvent;
    const shortcut = (ctrlKey || metaKey) && !(event as KeyboardEvent).getModifierState?.("AltGraph");
    if (repeat || shortcut || erasing.test(code) || !([...key].length === 1 || written.test(key))) return;
    const first = this.#downs[0]?.at ?? at;
    if (Math.round(at - first) > this.#seconds * 1000) return;
    const down = { at, part: isComposing || key === "Dead" || key === "Process" };
    this.#downs.push(down);
    this.#held.set(code || key, down);
  };

  #up = (event: Event) => {
    const { key, code, timeStamp } = event as KeyboardEvent;
    const down = this.#held.get(code || key);
    if (down) down.up = timeStamp;
    this.#held.delete(code || key);
  };

  // The key that starts a composition goes down before it starts.
  #starts = () => {
    this.#composition = "";
    const down = this.#downs.at(-1);
    if (down) down.part = true;
  };

  // A composition that becomes its own beginning lost a letter to Backspace: a wrong key down, which counts. One that
  // ends with it did not: the letter is the first one of the next syllable.
  #changes = (event: Event) => {
    this.#keepLost();
    const before = (this.#composition ?? "").normalize("NFD");
    this.#composition = (event as CompositionEvent).data;
    const now = this.#composition.normalize("NFD");
    if (now.length < before.length && before.startsWith(now)) this.#lost = 1;
  };

  #keepLost() {
    this.#made += this.#lost;
    this.#lost = 0;
  }

  #ends = (event: Event) => {
    this.#made += characters((event as CompositionEvent).data);
    this.#composition = null;
    this.#lost = 0;
  };

  // What is written without a composition: the key down that writes it counts for one character, but not one that composed.
  #writes = (event: Event) => {
    const { inputType, data } = event as InputEvent;
    if (inputType === "insertText") this.#made += Math.max(characters(data) - (this.#downs.at(-1)?.part ? 0 : 1), 0);
  };

  #listeners: [string, (event: Event) => void][] = [
    ["keydown", this.#down],
    ["keyup", this.#up],
    ["compositionstart", this.#starts],
    ["compositionupdate", this.#changes],
    ["compositionend", this.#ends],
    ["input", this.#writes],
  ];

  /** How many keys were counted so far. */
  get keys(): number {
    return this.#downs.length;
  }

  /**
   * Ends the recording and returns the proof: `gaps` are the milliseconds from each counted key to the one before it (0
   * for the first), `holds` how long each was held. `typed` is the text in the field. `composed` is there if keys
   * composed, or may have: the server would guess.
   */
  stop(typed: string): t.KeystrokesProof {
    for (const [type, listener] of this.#listeners) this.#from.removeEventListener(type, listener);
    this.#keepLost();
    const parts = this.#downs.filter(({ part }) => part).length;
    const composed = Math.max(parts - this.#made - characters(this.#composition), 0);
    const now = performance.now();
    // Round before subtracting, so that the gaps add up to the whole time.
    const at = this.#downs.map((down) => Math.round(down.at));
    return {
      typed,
      gaps: at.map((ms, i) => (i ? Math.max(ms - at[i - 1]!, 0) : 0)),
      holds: this.#downs.map((down) => Math.max(Math.round((down.up ?? now) - down.at), 0)),
      ...((composed || typed.normalize("NFD") !== typed.normalize("NFC")) && { composed }),
    };
  }
}
