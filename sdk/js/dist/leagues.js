// The caller's own league: a module of its own, so that pages without it do not load it.
import { transport } from "./transport.js";
export function createLeagues(options) {
    const { ask } = transport(options);
    return { mine: (call) => ask("/leagues/me", call, { own: true }) };
}
