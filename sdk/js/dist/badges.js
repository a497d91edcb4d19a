// Badges: what players were given by the rules of the game.
import { transport } from "./transport.js";
export function createBadges(options) {
    const { ask } = transport(options);
    return {
        of: (player, query) => ask(`/players/${encodeURIComponent(player)}/badges`, query, { own: player === "me" }),
        own: (query) => ask("/me/badges", query, { own: true }),
    };
}
