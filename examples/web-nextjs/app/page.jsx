import { connection } from "next/server";
import { createClient } from "@framedle/leaderboards";
import { Play } from "./play";

// One client reads for all visitors. Next.js caches each answer for five seconds. The trip
// wire is off, since it would count all visitors together. The client has no token and
// submits nothing.
const lb = createClient({
  baseUrl: process.env.LEADERBOARDS_URL ?? "http://127.0.0.1:8080",
  requestsPerMinute: Infinity,
  fetch: (url, init) => fetch(url, { ...init, next: { revalidate: 5 } }),
});

export default async function Page() {
  await connection(); // render on each visit, not once at build time
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
