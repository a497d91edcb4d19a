import { transport } from "./transport.js";
/** Takes a play for a mode and an open date. Its time runs from now on, so take it when the player begins. */
export async function startPlay(options, mode, call) {
    const { date, ...rest } = call ?? {};
    const play = await transport(options).ask("/plays", rest, { method: "POST", own: true, body: date ? { mode, date } : { mode } });
    return { ...play, startedAt: performance.now() };
}
/**
 * Submits the result of a play: a proof, a score or values. It adds the milliseconds since the play was taken as
 * `elapsed`. All attempts carry one Idempotency-Key, so the result counts once.
 */
export const submitPlay = (client, play, came, call) => client.submit({ ...came, mode: play.mode, play: play.play, elapsed: Math.round(performance.now() - play.startedAt) }, call);
// Keys that have no character in `key` and write text all the same: Dead and Process in
// languages that compose characters, Unidentified on touch keyboards, Enter for new lines.
const written = /^(Enter|Dead|Process|Unidentified)$/;
/**
 * Records the keys of a field while the player types a test. It counts the keys that write text. It does not count
 * modifiers, Backspace, shortcuts and the repeats of a held key.
 */
export class Recorder {
    #from;
    #seconds;
    #downs = [];
    #held = new Map();
    /** `seconds` is the duration of the challenge, from the first counted key on: later keys do not count. */
    constructor(from, seconds = Infinity) {
        this.#from = from;
        this.#seconds = seconds;
        from.addEventListener("keydown", this.#down);
        from.addEventListener("keyup", this.#up);
    }
    #down = (event) => {
        const { key, code, repeat, ctrlKey, metaKey, timeStamp: at } = event;
        const shortcut = (ctrlKey || metaKey) && !event.getModifierState?.("AltGraph");
        if (repeat || shortcut || !([...key].length === 1 || written.test(key)))
            return;
        const first = this.#downs[0]?.at ?? at;
        if (Math.round(at - first) > this.#seconds * 1000)
            return;
        const down = { at };
        this.#downs.push(down);
        this.#held.set(code || key, down);
    };
    #up = (event) => {
        const { key, code, timeStamp } = event;
        const down = this.#held.get(code || key);
        if (down)
            down.up = timeStamp;
        this.#held.delete(code || key);
    };
    /** How many keys were counted so far. */
    get keys() {
        return this.#downs.length;
    }
    /**
     * Ends the recording and returns the proof: `gaps` are the milliseconds from each counted key to the one before it (0
     * for the first), `holds` how long each was held. `typed` is the text in the field.
     */
    stop(typed) {
        this.#from.removeEventListener("keydown", this.#down);
        this.#from.removeEventListener("keyup", this.#up);
        const now = performance.now();
        // Round before subtracting, so that the gaps add up to the whole time.
        const at = this.#downs.map((down) => Math.round(down.at));
        return {
            typed,
            gaps: at.map((ms, i) => (i ? Math.max(ms - at[i - 1], 0) : 0)),
            holds: this.#downs.map((down) => Math.max(Math.round((down.up ?? now) - down.at), 0)),
        };
    }
}
