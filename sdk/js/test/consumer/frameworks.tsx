// What the compiler of a user of React, Vue or Svelte sees. It is compiled, and never run.
import { Leaderboard, Rank } from "@framedle/leaderboards/react";
import { connected } from "@framedle/leaderboards/svelte";
import { Leaderboard as Board } from "@framedle/leaderboards/vue";
import { h } from "vue";

export const board = <Leaderboard className="mine" mode="m" limit={5} live getToken={({ fresh }) => (fresh ? "new" : null)} onBoard={(page) => page.total satisfies number} onPlayer={(entry, event) => (entry.player ? event.preventDefault() : undefined)} ref={(element) => element?.reload()} />;
export const rank = <Rank mode="m" onError={(error) => error.retryAfter satisfies number | undefined} />;
export const shown = h(Board, { mode: "m", podium: true, getToken: async () => "token", onBoard: (page) => void page.entries });
connected(document.createElement("framedle-leaderboard"), { onRank: (card) => void card.rank }).destroy();

// @ts-expect-error a board is of a mode
export const none = <Leaderboard />;
// @ts-expect-error there is no such period
export const hour = <Leaderboard mode="m" period="hour" />;
