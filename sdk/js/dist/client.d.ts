import { type LiveOptions } from "./live.ts";
import { type Call, type ClientOptions, type KeyedCall } from "./transport.ts";
import type * as t from "./types.ts";
import type { QueryOf } from "./types.ts";
/** One player's client. It remembers what the player has submitted, so no two players may share one. */
export interface Client {
    /** What game it is: modes, open dates, the level curve, what is on. */
    game(call?: Call): Promise<t.Game>;
    /** A page of a board. Asked without a token, so that caches can answer. */
    leaderboard(mode: string, query?: QueryOf<"getPage"> & Call): Promise<t.Page>;
    /** All rows of a board, page by page as they are consumed; `limit` is the size of a page. */
    entries(mode: string, query?: QueryOf<"getPage"> & Call): AsyncGenerator<t.Entry, void, undefined>;
    /** A board as it changes, until its period closes or the signal is aborted. Nothing is asked while the page is hidden. */
    live(mode: string, options?: LiveOptions): AsyncGenerator<t.Page, void, undefined>;
    /** Where a player stands; `me` is the caller. */
    card(mode: string, player?: string, query?: QueryOf<"getCard"> & Call): Promise<t.Card>;
    /** A player among the neighbours; `me` is the caller. */
    around(mode: string, player?: string, query?: QueryOf<"getAround"> & Call): Promise<t.Surroundings>;
    /** Up to 500 players, ranked among themselves. */
    lookup(mode: string, players: string[], query?: QueryOf<"lookUpPlayers"> & Call): Promise<t.Found>;
    /** The caller among friends. */
    friendsLeaderboard(mode: string, query?: QueryOf<"getFriendsBoard"> & Call): Promise<t.FriendsBoard>;
    /** Submits a score, which counts once however often it has to be sent. */
    submit(submission: t.Submission, call?: KeyedCall): Promise<t.Result | t.QueuedResult>;
    me(call?: Call): Promise<t.Me>;
    updateMe(change: t.ProfileChange, call?: Call): Promise<t.ChangedProfile>;
    /** Erases the caller. Not sent again by itself: a player may ask 3 times a day. */
    deleteMe(call?: Call): Promise<t.Erasure>;
    /** Everything that is kept of the caller, by pages. A first page is not asked for again by itself: 3 exports a day. */
    exportMe(query?: QueryOf<"exportMe"> & Call): Promise<t.PlayerDocument>;
    friends(call?: Call): Promise<t.Friends>;
    requestFriend(player: string, call?: KeyedCall): Promise<t.Friendship>;
    acceptFriend(player: string, call?: KeyedCall): Promise<t.Friendship>;
    /** Declines a request, or takes the own one back. */
    dropRequest(player: string, call?: Call): Promise<void>;
    removeFriend(player: string, call?: Call): Promise<void>;
    block(player: string, call?: Call): Promise<void>;
    unblock(player: string, call?: Call): Promise<void>;
    createInvite(invite?: {
        uses?: number;
    }, call?: KeyedCall): Promise<t.Invite>;
    acceptInvite(code: string, call?: KeyedCall): Promise<t.Friendship>;
    createDuel(duel?: Pick<t.NewDuel, "opponent" | "mode">, call?: KeyedCall): Promise<t.Duel>;
    duel(id: string, call?: Call): Promise<t.Duel>;
    duels(query?: QueryOf<"listDuels"> & Call): Promise<t.Duels>;
    acceptDuel(id: string, call?: KeyedCall): Promise<t.Duel>;
    duelResult(id: string, result: t.DuelResult, call?: KeyedCall): Promise<t.Duel>;
    rematch(id: string, call?: KeyedCall): Promise<t.Duel>;
    /** Looks for an opponent; ask again after `poll_after` seconds while it is `queued`. */
    queueDuel(queue?: {
        mode?: string;
    }, call?: KeyedCall): Promise<t.Duel | t.Queue>;
    leaveDuelQueue(query?: QueryOf<"leaveQueue"> & Call): Promise<t.Queue>;
    /** Makes an anonymous player, in a game that has them. Keep the token like a password. */
    createDevice(call?: Call): Promise<t.Device>;
    /** Takes over what was played with a device. */
    claim(deviceToken: string, call?: KeyedCall): Promise<t.Claimed>;
}
export declare function createClient(options: ClientOptions): Client;
