// Boards of all sites of a game that several deployments keep.
import { transport } from "./transport.js";
export function createWorlds(options) {
    const { ask } = transport(options);
    const path = (mode) => `/leaderboards/${encodeURIComponent(mode)}/world`;
    return {
        page: (mode, query) => ask(path(mode), query),
        own: (mode, query) => ask(path(mode), query, { own: true }),
    };
}
