import { type LiveOptions } from "./live.ts";
import { type Call, type ClientOptions, type KeyedCall } from "./transport.ts";
import type * as t from "./types.ts";
import type { QueryOf } from "./types.ts";
/** The client of one player. It remembers the last submission, so no two players may share a client. */
export interface Client {
    /** The game: its modes, the open dates, the level curve, which features are on. */
    game(call?: Call): Promise<t.Game>;
    /** A page of a board. It is requested without a token, so that caches can answer. */
    leaderboard(mode: string, query?: QueryOf<"getPage"> & Call): Promise<t.Page>;
    /** Yields all entries of a board. It requests a page of `limit` entries when the page before is consumed. */
    entries(mode: string, query?: QueryOf<"getPage"> & Call): AsyncGenerator<t.Entry, void, undefined>;
    /**
     * Yields a page of a board, and again at each change, until the period closes or the signal is aborted; neither is an
     * error. It rejects with the first failure that is not temporary, and sends nothing while the web page is hidden.
     */
    live(mode: string, options?: LiveOptions): AsyncGenerator<t.Page, void, undefined>;
    /** One player's entry with rank, total and percentile; `me`, the default, is the caller. */
    card(mode: string, player?: string, query?: QueryOf<"getCard"> & Call): Promise<t.Card>;
    /** One player's entry and its neighbours; `me`, the default, is the caller. */
    around(mode: string, player?: string, query?: QueryOf<"getAround"> & Call): Promise<t.Surroundings>;
    /** The entries of up to 500 players, ranked among themselves. Players without an entry are left out. */
    lookup(mode: string, players: string[], query?: QueryOf<"lookUpPlayers"> & Call): Promise<t.Found>;
    /** The caller and the caller's friends, ranked among themselves. */
    friendsLeaderboard(mode: string, query?: QueryOf<"getFriendsBoard"> & Call): Promise<t.FriendsBoard>;
    /** Submits a score. All attempts carry one Idempotency-Key, so the score counts once. */
    submit(submission: t.Submission, call?: KeyedCall): Promise<t.Submitted>;
    /** The caller's profile, XP, streak, badges, and standings of today. */
    me(call?: Call): Promise<t.Me>;
    /** Changes the caller's profile. Fields that are left out stay as they are. */
    updateMe(change: t.ProfileChange, call?: Call): Promise<t.ChangedProfile>;
    /** Erases the caller. The client does not retry it: a player may ask 3 times on one UTC date. */
    deleteMe(call?: Call): Promise<t.Erasure>;
    /**
     * A page of everything that is kept of the caller; `next` is the `cursor` of the next page. The client does not retry
     * a first page: a player may begin 3 exports on one UTC date.
     */
    exportMe(query?: QueryOf<"exportMe"> & Call): Promise<t.PlayerDocument>;
    /** The caller's friends, requests and blocks, newest first, up to 500 of each. */
    friends(call?: Call): Promise<t.Friends>;
    /** Asks a player to be friends. If that player has asked already, the two are friends at once. */
    requestFriend(player: string, call?: KeyedCall): Promise<t.Friendship>;
    /** Accepts a player's request. */
    acceptFriend(player: string, call?: KeyedCall): Promise<t.Friendship>;
    /** Declines the player's request, or withdraws the caller's. */
    dropRequest(player: string, call?: Call): Promise<void>;
    /** Ends a friendship for both. */
    removeFriend(player: string, call?: Call): Promise<void>;
    /** Blocks a player, which also ends the friendship and withdraws requests. The player is not told. */
    block(player: string, call?: Call): Promise<void>;
    /** Lifts a block. The friendship does not come back. */
    unblock(player: string, call?: Call): Promise<void>;
    /** Makes a code with which up to `uses` players, 100 at most, become the caller's friends within 7 days. */
    createInvite(invite?: {
        uses?: number;
    }, call?: KeyedCall): Promise<t.Invite>;
    /** The player who made the invite; an invite that the caller cannot accept is refused with `no-invite`. */
    invite(code: string, call?: Call): Promise<t.Relation>;
    /** Makes the caller and the player who made the invite friends. */
    acceptInvite(code: string, call?: KeyedCall): Promise<t.Friendship>;
    /** Opens a challenge to `opponent`; without one, to the first player who accepts with the answer's `invite`. */
    createDuel(duel?: Pick<t.NewDuel, "opponent" | "mode">, call?: KeyedCall): Promise<t.Duel>;
    /** One duel; a challenge also by its invite. */
    duel(id: string, call?: Call): Promise<t.Duel>;
    /** The caller's duels, newest first, with the challenges that wait for the caller. */
    duels(query?: QueryOf<"listDuels"> & Call): Promise<t.Duels>;
    /** Accepts a challenge, by its id or invite. */
    acceptDuel(id: string, call?: KeyedCall): Promise<t.Duel>;
    /** Declines a challenge, or withdraws one's own. */
    declineDuel(id: string, call?: Call): Promise<t.Duel>;
    /** Reports the winner, null for a draw. The duel is decided when both players report the same. */
    duelResult(id: string, result: t.DuelResult, call?: KeyedCall): Promise<t.Duel>;
    /** Challenges the other player of a duel again. If both do, it is one duel, and ready. */
    rematch(id: string, call?: KeyedCall): Promise<t.Duel>;
    /** Looks for an opponent. While the answer is `queued`, call it again after `poll_after` seconds. */
    queueDuel(queue?: {
        mode?: string;
    }, call?: KeyedCall): Promise<t.Duel | t.Queue>;
    /** Leaves the queue. A duel that was found stays. */
    leaveDuelQueue(query?: QueryOf<"leaveQueue"> & Call): Promise<t.Queue>;
    /** Makes an anonymous player, in a game that has them. Keep the token secret like a password. */
    createDevice(call?: Call): Promise<t.Device>;
    /** Gives the caller the scores of a device, of all days that still take changes. A device has one owner for ever. */
    claim(deviceToken: string, call?: KeyedCall): Promise<t.Claimed>;
}
export declare function createClient(options: ClientOptions): Client;
