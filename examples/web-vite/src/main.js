// A page whose players do not sign in: the game lets devices (anonymous players) play.
import { createClient, RateLimitedError } from "@framedle/leaderboards";

const mode = "daily_frame";
const kept = "leaderboards.device";

const lb = createClient({
  baseUrl: import.meta.env.VITE_LEADERBOARDS_URL ?? "http://127.0.0.1:8080",
  // With Clerk: ({ fresh }) => Clerk.session?.getToken({ skipCache: fresh })
  getToken: async () => {
    const token = localStorage.getItem(kept) ?? (await lb.createDevice()).token;
    localStorage.setItem(kept, token);
    return token;
  },
});

const [button, status, list] = ["button", "[role=status]", "ol"].map((name) => document.querySelector(name));

async function show() {
  const { entries } = await lb.leaderboard(mode, { limit: 10 });
  list.replaceChildren(...entries.map(({ name, player, score, me }) => {
    const [row, who] = [document.createElement("li"), document.createElement("bdi")];
    who.textContent = name ?? (me ? "you" : player); // from strangers: shown as text, in its own direction
    row.append(who, `: ${score}`);
    return row;
  }));
}

button.addEventListener("click", async () => {
  try {
    const { status: became, score, rank } = await lb.submit({ mode, score: Math.floor(Math.random() * 1000) });
    status.textContent = `${became}: ${score}, rank ${rank}`;
    await show();
  } catch (error) {
    status.textContent = error instanceof RateLimitedError ? `Again in ${Math.ceil(error.retryAfter ?? 1)} s` : error.message;
  }
});

await show();
