// The operator's routes. getToken has to return the operator's token: never put it into
// pages that players see.
import { transport } from "./transport.js";
export function createOps(options) {
    const { ask } = transport(options);
    const call = (method, path, call, body) => ask("/ops/" + path, call, { method, own: true, body });
    const bans = (player) => "bans/" + encodeURIComponent(player);
    const players = (player) => "players/" + encodeURIComponent(player);
    const held = (id) => "held/" + encodeURIComponent(id);
    return {
        usage: (query) => call("GET", "usage", query),
        health: (query) => call("GET", "health", query),
        status: (query) => call("GET", "status", query),
        bans: (query) => call("GET", "bans", query),
        ban: (player, ban, query) => call("PUT", bans(player), query, ban),
        unban: (player, query) => call("DELETE", bans(player), query),
        players: (query) => call("GET", "players", query),
        player: (id, query) => call("GET", players(id), query),
        removePlayer: (id, query) => call("DELETE", players(id), query),
        removeScore: (score, query) => call("DELETE", "scores", query, score),
        log: (query) => call("GET", "log", query),
        audit: (query) => call("GET", "audit", query),
        statistics: (query) => call("GET", "statistics", query),
        held: (query) => call("GET", "held", query),
        passHeld: (id, query) => call("PUT", held(id), query),
        dropHeld: (id, query) => call("DELETE", held(id), query),
        maintenance: (query) => call("GET", "maintenance", query),
        setMaintenance: (state, query) => call("PUT", "maintenance", query, state),
        endMaintenance: (query) => call("DELETE", "maintenance", query),
        deadLetters: (query) => call("GET", "dead-letters", query),
        redrive: (query) => call("POST", "dead-letters/redrive", query),
    };
}
