// The texts of the typing game, with those of the page.
import { reasonOf, words as page } from "../page/words.ts";
import { texts } from "../parts/words.ts";
import type { Forms } from "../parts/format.ts";

const typing = {
  typing: "Typing",
  testLength: "Test length",
  test: "Test",
  race: "Race",
  start: "Start",
  signInToSave: "Sign in to save your results.",
  unavailable: "This mode isn’t available here: no results are saved.",
  timer: "The timer starts when you start typing.",
  sending: "Sending…",
  standing: { accepted: "Result saved.", improved: "New best today!", kept: "Saved. Not better than today’s best.", held: "Under review: it counts once approved.", replayed: "Already submitted." },
  notCounted: (reason: string) => `Not counted: ${reason}`,
  wpm: "wpm",
  accuracy: "% accuracy",
  secondsLeft: "Seconds left",
  typeHere: "Type the text here",
  course: "Words per minute over the test",
  noTyping: "This game has no typing mode. A mode needs `proof: keystrokes`; see games/typing.yaml.",
  racers: "Racers",
  playersInRace: { one: "# player", other: "# players" } as Forms,
  privateRace: "Private race",
  quickRace: "Quick race",
  leave: "Leave",
  invited: "You have been invited to a race. It counts for your rating.",
  invitedSignedOut: "You have been invited to a race. Sign in to join it.",
  join: "Join race",
  joined: (here: string, size: string) => `${here} of ${size} joined`,
  cancelled: "Race cancelled: not enough players finished.",
  over: "The race is over.",
  place: (place: string, size: string) => `The race is over. You finished #${place} of ${size}.`,
  raceWon: "The race is over. You won! 🏆",
  ofTotal: (total: string) => `of ${total}`,
  inviteLink: "Invite link",
  out: "DNF",
  left: "left",
  done: "done",
  go: "Go!",
  raceProgress: "Progress",
};

export type TypingTexts = typeof typing;

Object.assign(texts, typing);

export const words = page as typeof page & TypingTexts;

/** standingOf is what a player reads of a result, by its status. */
export const standingOf = (status: string): string => words.standing[status as keyof TypingTexts["standing"]] ?? "";

export { reasonOf };
