import { transport } from "./transport.js";
/** Takes a play, whose time runs from now on: take it when the player begins. */
export async function startPlay(options, mode, call) {
    const { date, ...rest } = call ?? {};
    const play = await transport(options).ask("/plays", rest, { method: "POST", own: true, body: date ? { mode, date } : { mode } });
    return { ...play, startedAt: performance.now() };
}
/** Sends what a play came to: a proof, a score, or values. It counts once, however often it has to be sent. */
export const submitPlay = (client, play, came, call) => client.submit({ ...came, mode: play.mode, play: play.play, elapsed: Math.round(performance.now() - play.startedAt) }, call);
// Keys without a letter that are keys of the text all the same: of languages that are
// composed, of touch keyboards, and of texts with several lines.
const written = /^(Enter|Dead|Process|Unidentified)$/;
/**
 * Records the keys of a field while a test is typed. It counts those that write, and leaves out modifiers, Backspace,
 * shortcuts, and what a held key repeats.
 */
export class Recorder {
    #from;
    #seconds;
    #downs = [];
    #held = new Map();
    /** `seconds` are those of the challenge: keys after that do not count. */
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
    /** How many keys have counted so far. */
    get keys() {
        return this.#downs.length;
    }
    /** Ends the recording. `typed` is the text as it stands. */
    stop(typed) {
        this.#from.removeEventListener("keydown", this.#down);
        this.#from.removeEventListener("keyup", this.#up);
        const now = performance.now();
        // Rounded before they are subtracted, so that the gaps add up.
        const at = this.#downs.map((down) => Math.round(down.at));
        return {
            typed,
            gaps: at.map((ms, i) => (i ? Math.max(ms - at[i - 1], 0) : 0)),
            holds: this.#downs.map((down) => Math.max(Math.round((down.up ?? now) - down.at), 0)),
        };
    }
}
