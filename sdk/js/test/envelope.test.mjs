// The adapter for frontends that speak an envelope.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createEnvelopeClient } from "../dist/envelope.js";
import { checked } from "./contract.mjs";
import { baseUrl, newcomer, tokenOf } from "./support.mjs";

test("answers come in data, failures in error, and nothing rejects", async () => {
  const player = newcomer("env");
  const token = await tokenOf(player);
  const lb = createEnvelopeClient({ baseUrl, fetch: checked, getToken: () => token });
  const submitted = await lb.submit({ mode: "best_mode", score: 640 });
  assert.equal(submitted.error, null);
  assert.equal(submitted.data.score, 640);
  for (const [period, means] of [["daily", "day"], ["weekly", "week"], ["monthly", "month"], ["alltime", "alltime"]]) {
    const { data, error, meta } = await lb.leaderboard("best_mode", { period, limit: 1 });
    assert.equal(error, null);
    assert.equal(data.period, means);
    assert.equal(meta.total, data.total);
    assert.equal(meta.cursor, data.next_cursor);
    assert.ok(Date.parse(meta.timestamp));
    assert.equal((await lb.card("best_mode", "me", { period })).data.period, means);
    assert.equal((await lb.friendsLeaderboard("best_mode", { period })).data.period, means);
  }
  const { data, error, meta } = await lb.leaderboard("no_such_mode");
  assert.equal(data, null);
  assert.deepEqual([error.code, error.status, error.details], ["unknown-mode", 404, []]);
  assert.match(error.message, /unknown mode/);
  assert.ok(meta.requestId);
  assert.equal((await lb.leaderboard("best_mode", { period: "hourly" })).error.code, "invalid-request");
  assert.equal(lb.entries, undefined);
});

test("without an answer there is an error as well; an abort rejects", async () => {
  const lb = createEnvelopeClient({ baseUrl: "http://127.0.0.1:1", maxRetries: 0 });
  assert.deepEqual([(await lb.game()).error.code, (await lb.me()).error.code], ["network", "unauthenticated"]);
  await assert.rejects(lb.game({ signal: AbortSignal.abort() }), { name: "AbortError" });
});
