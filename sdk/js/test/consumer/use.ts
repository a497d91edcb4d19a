// What a user's compiler sees. It is compiled with the installed package, and never run.
import { createClient, LeaderboardsError, ranked, RateLimitedError, type Client, type Entry, type Game, type Page, type Result, type Submission, type Submitted } from "@framedle/leaderboards";
import "@framedle/leaderboards/elements";
import type { ElementAttributes } from "@framedle/leaderboards/elements";
import { createEnvelopeClient } from "@framedle/leaderboards/envelope";
import { createOps } from "@framedle/leaderboards/ops";
import { stream } from "@framedle/leaderboards/stream";
import { compareScores, formatScore, showScore } from "@framedle/leaderboards/values";

const lb: Client = createClient({ baseUrl: "https://lb.example.com", getToken: async ({ fresh }) => (fresh ? "new" : null), timeout: 5_000, stream });

export async function use(): Promise<void> {
  const game: Game = await lb.game();
  const page: Page = await lb.leaderboard(game.modes[0]!.name, { period: "week", limit: 10, signal: AbortSignal.timeout(1_000) });
  const ranks: number[] = page.entries.map((entry: Entry) => entry.rank);
  const score: Submission = { mode: "m", score: 3, view: ["around", "me"] };
  const result = await lb.submit(score, { idempotencyKey: "k" });
  if (ranked(result)) ranks.push(result.rank, result.total);
  else result.status satisfies "queued" | "held";
  const answer: Submitted = result;
  switch (answer.status) {
    case "queued":
    case "held":
      break;
    default:
      answer satisfies Result;
  }
  for await (const entry of lb.entries("m")) entry.name satisfies string | undefined;
  for await (const live of lb.live("m", { interval: 1_000 })) live.total satisfies number;

  const pair: Submission = { mode: "m", values: { wpm: 92.5, accuracy: 98.2 } };
  const typed = await lb.submit(pair);
  if (ranked(typed)) formatScore(game.modes[0]!, typed) satisfies string;
  compareScores(game.modes[0]!, page.entries[0]!, page.entries[1]!) satisfies number;
  showScore(game.modes[0]!, page.entries[0]!)[0]?.text satisfies string | undefined;

  // @ts-expect-error there is no such period
  await lb.leaderboard("m", { period: "hour" });
  // @ts-expect-error a score is a number
  await lb.submit({ mode: "m", score: "3" });
  // @ts-expect-error players are named by strings
  await lb.lookup("m", [1]);

  try {
    await lb.me();
  } catch (error) {
    if (error instanceof RateLimitedError) error.code satisfies "rate-limited";
    if (error instanceof LeaderboardsError) error.retryAfter satisfies number | undefined;
  }

  const { data, error, meta } = await createEnvelopeClient({ baseUrl: "" }).leaderboard("m", { period: "weekly" });
  meta.timestamp satisfies string;
  if (error) error.code satisfies string;
  else data.entries satisfies Entry[];
  // @ts-expect-error an envelope has its own words
  await createEnvelopeClient({ baseUrl: "" }).leaderboard("m", { period: "week" });

  const board = document.querySelector("framedle-leaderboard")!;
  board.getToken = async ({ fresh }) => (fresh ? "new" : null);
  if (ranked(result)) board.played(result);
  board.addEventListener("framedle:board", ({ detail }) => detail.entries satisfies Entry[]);
  document.createElement("framedle-rank").reload();
  // @ts-expect-error a rank shows no submissions
  document.createElement("framedle-rank").played(result);
  ({ mode: "m", live: true }) satisfies ElementAttributes["framedle-leaderboard"];

  const ops = createOps({ baseUrl: "", getToken: () => "t" });
  (await ops.usage({ days: 7 })) satisfies object;
}
