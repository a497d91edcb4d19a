// How the scores of a board are distributed.
import { transport } from "./transport.js";
export function createDistributions(options) {
    const { ask } = transport(options);
    const path = (mode) => `/leaderboards/${encodeURIComponent(mode)}/distribution`;
    return {
        of: (mode, query) => ask(path(mode), query),
        own: (mode, query) => ask(path(mode), query, { own: true }),
    };
}
