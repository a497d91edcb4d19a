// The texts of a board. A text with forms has those of the language's plural rules; # is the
// number.
import type { Forms } from "./format.ts";

/** texts are those of the language that is spoken: English, until translate loads another. */
export const texts = {
  language: "en",
  rank: "Rank",
  player: "Player",
  score: "Score",
  you: "You",
  players: { one: "# player", other: "# players" } as Forms,
  rankIs: (rank: string) => `Rank #${rank}`,
  notYet: "Not on the board yet",
  notThen: "Not on this board",
  up: (n: string) => `up ${n} from the previous period`,
  down: (n: string) => `down ${n} from the previous period`,
  same: "unchanged",
  updated: (time: string) => `Updated ${time}`,
  asOf: (time: string) => `As of ${time}`,
  more: "Show more",
  retry: "Try again",
  findMe: "Show my place",
  empty: "No scores yet.",
  emptyPast: "No scores in this period.",
  closed: "Final standings",
  noHistory: "Past leaderboards aren’t available.",
  stale: "Can’t reach the leaderboard. Showing the last known standings.",
  degraded: "Updates are slower than usual.",
  unreachable: "Can’t reach the leaderboard.",
  offline: (time: string) => (time ? `You’re offline. Standings of ${time}.` : "You’re offline."),
  limited: (time: string) => `Too many requests. Trying again at ${time}.`,
  maintenance: "Scores are paused for maintenance. Please try again later.",
  signedOut: "Sign in to see your rank.",
  refused: "This board isn’t available.",
  close: "Close",
  of: (rank: string, total: string) => `${rank} of ${total}`,
  top: (share: string) => `top ${share}`,
  percentile: "Percentile",
  noCard: "This player is not on this board.",
  announce: (rank: string, total: string) => `Your rank is now ${rank} of ${total}.`,
  loaded: (players: string) => `Leaderboard loaded, ${players}.`,
};

export type Texts = typeof texts;

/** words are the texts to show. To replace some of them, whatever the language: Object.assign(words, {…}). */
export const words: Texts = Object.create(texts);
