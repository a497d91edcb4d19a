// One method for each route that players and their pages use.
import { failure } from "./errors.js";
import { follow } from "./live.js";
import { merge, remember } from "./own.js";
import { transport } from "./transport.js";
const own = { own: true };
const escape = encodeURIComponent;
export function createClient(options) {
    const sender = transport(options);
    const { ask } = sender;
    let played;
    // After an own score no cache of the browser answers for as long as one may be behind.
    const board = (path, query, mine) => ask("/leaderboards/" + path, query, { own: mine, fresh: played && played.until > Date.now() });
    const post = (path, call, body) => ask(path, call, { method: "POST", own: true, body });
    const change = (method, path, call, rest) => ask(path, call, { method, own: true, ...rest });
    const leaderboard = async (mode, query) => {
        const page = await board(escape(mode), query);
        if (!Array.isArray(page.entries))
            throw failure(200, "network", "the answer is no board");
        return merge(page, played, query?.limit);
    };
    async function* entries(mode, query) {
        let cursor = query?.cursor;
        for (let shown = false, offset = query?.offset;; offset = undefined) {
            const page = await leaderboard(mode, { ...query, cursor, offset });
            for (const entry of page.entries) {
                if (entry.me && shown)
                    continue; // moved down while we walked
                shown ||= !!entry.me;
                yield entry;
            }
            const next = page.next_cursor;
            if (!next || !page.entries.length)
                return;
            if (next === cursor)
                throw failure(200, "network", "the board's next page is the same page");
            cursor = next;
        }
    }
    const friend = "/friends/", request = friend + "requests/", invites = friend + "invites", blocks = friend + "blocks/", duels = "/duels";
    return {
        game: (call) => ask("/game", call),
        leaderboard,
        entries,
        live: (mode, options) => follow(sender, leaderboard, mode, options),
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
        deleteMe: (call) => change("DELETE", "/me", call, { once: true }),
        exportMe: (query) => ask("/me/export", query, { own: true, once: !query?.cursor }),
        friends: (call) => ask("/friends", call, own),
        requestFriend: (player, call) => post("/friends/requests", call, { player }),
        acceptFriend: (player, call) => post(request + escape(player) + "/accept", call),
        dropRequest: (player, call) => change("DELETE", request + escape(player), call),
        removeFriend: (player, call) => change("DELETE", friend + escape(player), call),
        block: (player, call) => change("PUT", blocks + escape(player), call),
        unblock: (player, call) => change("DELETE", blocks + escape(player), call),
        createInvite: (invite, call) => post(invites, call, invite),
        acceptInvite: (code, call) => post(`${invites}/${escape(code)}/accept`, call),
        createDuel: (duel, call) => post(duels, call, duel),
        duel: (id, call) => ask(`${duels}/${escape(id)}`, call, own),
        duels: (query) => ask(duels, query, own),
        acceptDuel: (id, call) => post(`${duels}/${escape(id)}/accept`, call),
        duelResult: (id, result, call) => post(`${duels}/${escape(id)}/result`, call, result),
        rematch: (id, call) => post(`${duels}/${escape(id)}/rematch`, call),
        queueDuel: (queue, call) => post(duels + "/queue", call, queue),
        leaveDuelQueue: (query) => change("DELETE", duels + "/queue", query),
        createDevice: (call) => ask("/devices", call, { method: "POST" }),
        claim: (device_token, call) => post("/me/claim", call, { device_token }),
    };
}
