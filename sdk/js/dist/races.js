// Races: two to five players, one challenge, one start.
import { transport } from "./transport.js";
export function races(options) {
    const { ask } = transport({ requestsPerMinute: 400, ...options }); // calls of progress alone can be 240
    const at = (id, act = "") => "/races/" + encodeURIComponent(id) + act;
    const send = (path, call, body, method = "POST") => ask(path, call, { method, own: true, body });
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
/**
 * Milliseconds from the answer to the start of the race, both by the API's clock, so that a wrong clock here does not
 * matter; undefined while the race waits.
 */
export const startsIn = (race) => race.starts_at ? Date.parse(race.starts_at) - Date.parse(race.now) : undefined;
