// The part of the client that the elements need.
import type { Client } from "../../../sdk/js/src/client.ts";
import { odd } from "../../../sdk/js/src/errors.ts";
import { transport, type ClientOptions } from "../../../sdk/js/src/transport.ts";
import type { Page } from "../../../sdk/js/src/types.ts";

export type Boards = Pick<Client, "leaderboard" | "card" | "around" | "friendsLeaderboard">;

export function boards(options: ClientOptions): Boards {
  const { ask } = transport(options);
  const path = (...parts: string[]) => ["/leaderboards", ...parts.map(encodeURIComponent)].join("/");
  return {
    async leaderboard(mode, query) {
      const page = await ask<Page>(path(mode), query);
      if (!Array.isArray(page.entries)) throw odd("no board");
      return page;
    },
    card: (mode, player = "me", query) => ask(path(mode, "players", player), query, { own: player === "me" }),
    around: (mode, player = "me", query) => ask(path(mode, "around", player), query, { own: player === "me" }),
    friendsLeaderboard: (mode, query) => ask(path(mode, "friends"), query, { own: true }),
  };
}
