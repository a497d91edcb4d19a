import { connection } from "next/server";
import { createClient } from "@framedle/leaderboards";
import { Play } from "./play";

// The server reads for all visitors at once: Next.js keeps each answer for five
// seconds, and no trip wire counts them together. It has no token and submits nothing.
const lb = createClient({
  baseUrl: process.env.LEADERBOARDS_URL ?? "http://127.0.0.1:8080",
  requestsPerMinute: Infinity,
  fetch: (url, init) => fetch(url, { ...init, next: { revalidate: 5 } }),
});

export default async function Page() {
  await connection(); // the board of the visit, not of the build
  const { entries, total } = await lb.leaderboard("daily_frame", { limit: 10 });
  return (
    <main>
      <h1>Today's board</h1>
      <ol>
        {entries.map(({ player, name, score }) => (
          <li key={player}>
            <bdi>{name ?? player}</bdi>: {score}
          </li>
        ))}
      </ol>
      <p>{total} players</p>
      <Play />
    </main>
  );
}
