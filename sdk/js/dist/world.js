// Boards that merge all sites (deployments) of a game.
import { transport } from "./transport.js";
export function createWorlds(options) {
    const { ask } = transport(options);
    const path = (mode) => `/leaderboards/${encodeURIComponent(mode)}/world`;
    return {
        page: (mode, query) => ask(path(mode), query),
        own: (mode, query) => ask(path(mode), query, { own: true }),
    };
}
