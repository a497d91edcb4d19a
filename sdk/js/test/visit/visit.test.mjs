// The cost of a whole visit with this client: open, play, look around, come back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checked } from "../contract.mjs";
import { commands, newcomer, playing } from "../support.mjs";

// Limits for the owner's bill and for the player's connection.
const mostCommands = 28;
const mostRequests = 5;

test("a visit is at most 5 requests and 28 commands", async () => {
  for (let i = 0; i < 30; i++) await (await playing(newcomer("other"))).submit({ mode: "best_mode", score: 10 * i });
  let requests = 0;
  const player = newcomer("visitor");
  const used = await commands(async () => {
    const lb = await playing(player, { fetch: (...given) => (requests++, checked(...given)) });
    await lb.leaderboard("best_mode");
    const { view } = await lb.submit({ mode: "best_mode", score: 155, view: ["around", "week"] });
    assert.equal(view.week.score, 155);
    const week = await lb.leaderboard("best_mode", { period: "week" });
    assert.equal(week.entries.find((row) => row.player === player).score, 155, "the own row, whenever the week was made");
    const day = await lb.leaderboard("best_mode"); // it comes back
    assert.equal(day.entries.filter((row) => row.me).length, 1);
  });
  assert.ok(requests <= mostRequests, `${requests} requests`);
  assert.ok(used <= mostCommands, `${used} commands`);
  console.log(`a visit: ${requests} requests, ${used} commands`);
});
