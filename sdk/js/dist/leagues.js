// The caller's own league. It stands apart from the client, so that pages which do not
// show it load none of it.
import { transport } from "./transport.js";
export function createLeagues(options) {
    const { ask } = transport(options);
    return { mine: (call) => ask("/leagues/me", call, { own: true }) };
}
