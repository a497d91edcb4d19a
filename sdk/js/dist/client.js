// One method for each route that players and their pages use.
import { odd } from "./errors.js";
import { follow } from "./live.js";
import { merge, remember } from "./own.js";
import { transport } from "./transport.js";
const own = { own: true };
const escape = encodeURIComponent;
export function createClient(options) {
    const { ask, open } = transport(options);
    let played;
    const streams = { stream: options.stream };
    // After a submission the browser's cache may not answer for as long as it may lack the score.
    const board = (path, query, own) => ask("/leaderboards/" + path, query, { own: own, fresh: played?.until > Date.now() });
    const post = (path, call, body) => ask(path, call, { method: "POST", own: true, body });
    const change = (method, path, call, rest) => ask(path, call, { method, own: true, ...rest });
    const leaderboard = async (mode, query) => {
        const page = await board(escape(mode), query);
        if (!Array.isArray(page.entries))
            throw odd("no board");
        return merge(page, played, query);
    };
    async function* entries(mode, query) {
        let shown = false;
        for (let at = query;;) {
            const page = await leaderboard(mode, at);
            for (const entry of page.entries) {
                if (entry.me && shown)
                    continue; // the player moved down between two pages
                shown ||= !!entry.me;
                yield entry;
            }
            const cursor = page.next_cursor;
            if (!cursor || !page.entries.length)
                return;
            if (cursor === at?.cursor)
                throw odd("no next page");
            at = { ...query, cursor, offset: undefined };
        }
    }
    return {
        game: (call) => ask("/game", call),
        leaderboard,
        entries,
        live: (mode, options) => follow(leaderboard, open, streams, mode, options),
        card: (mode, player = "me", query) => board(`${escape(mode)}/players/${escape(player)}`, query, player === "me"),
        around: (mode, player = "me", query) => board(`${escape(mode)}/around/${escape(player)}`, query, player === "me"),
        lookup: (mode, players, query) => ask(`/leaderboards/${escape(mode)}/lookup`, query, { method: "POST", body: { players } }),
        friendsLeaderboard: (mode, query) => board(escape(mode) + "/friends", query, true),
        async submit(submission, call) {
            let date = null;
            const answer = await ask("/scores", call, {
                method: "POST",
                own: true,
                body: submission,
                seen: (headers) => (date = headers.get("Date")),
            });
            played = remember(answer, date);
            return answer;
        },
        me: (call) => ask("/me", call, own),
        updateMe: (body, call) => change("PATCH", "/me", call, { body }),
        deleteMe: (call) => ((played = undefined), change("DELETE", "/me", call, { once: true })),
        exportMe: (query) => ask("/me/export", query, { own: true, once: !query?.cursor }),
        friends: (call) => ask("/friends", call, own),
        requestFriend: (player, call) => post("/friends/requests", call, { player }),
        acceptFriend: (player, call) => post(`/friends/requests/${escape(player)}/accept`, call),
        dropRequest: (player, call) => change("DELETE", "/friends/requests/" + escape(player), call),
        removeFriend: (player, call) => change("DELETE", "/friends/" + escape(player), call),
        block: (player, call) => change("PUT", "/friends/blocks/" + escape(player), call),
        unblock: (player, call) => change("DELETE", "/friends/blocks/" + escape(player), call),
        createInvite: (invite, call) => post("/friends/invites", call, invite),
        invite: (code, call) => ask("/friends/invites/" + escape(code), call, own),
        acceptInvite: (code, call) => post(`/friends/invites/${escape(code)}/accept`, call),
        createDuel: (duel, call) => post("/duels", call, duel),
        duel: (id, call) => ask(`/duels/${escape(id)}`, call, own),
        duels: (query) => ask("/duels", query, own),
        acceptDuel: (id, call) => post(`/duels/${escape(id)}/accept`, call),
        declineDuel: (id, call) => change("DELETE", "/duels/" + escape(id), call),
        duelResult: (id, result, call) => post(`/duels/${escape(id)}/result`, call, result),
        rematch: (id, call) => post(`/duels/${escape(id)}/rematch`, call),
        queueDuel: (queue, call) => post("/duels/queue", call, queue),
        leaveDuelQueue: (query) => change("DELETE", "/duels/queue", query),
        createDevice: (call) => ask("/devices", call, { method: "POST" }),
        claim: (device_token, call) => post("/me/claim", call, { device_token }),
    };
}
