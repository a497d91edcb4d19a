// The texts of the typing game.
import type { LeaderboardsError } from "../../../sdk/js/src/index.ts";

export const words = {
  signIn: "Sign in to have your results count.",
  idle: "The clock starts with your first key.",
  sending: "Sending…",
  standing: { accepted: "It counts.", improved: "A new best of today.", kept: "Your best of today stands.", held: "An operator looks at this result before it counts.", replayed: "It counts already." } as Record<string, string>,
  refused: (reason: string) => `It does not count: ${reason}`,
};

/** reasonOf is the text that tells a player of a failure. */
export function reasonOf(error: unknown): string {
  return (error as LeaderboardsError).detail || "that did not work; try again.";
}
