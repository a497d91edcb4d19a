// Modes that rank by several values: pair_mode by wpm, and where that is the same by errors.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compareScores, formatScore, showScore } from "../dist/values.js";
import { newcomer, playing, watching } from "./support.mjs";

test("values are sent in place of a score, and are beside every score", async () => {
  const [fast, exact] = [newcomer("fast"), newcomer("exact")];
  const lb = await playing(fast);
  const sent = await lb.submit({ mode: "pair_mode", values: { wpm: 92.5, errors: 3 }, view: ["around", "week"] });
  assert.deepEqual([sent.values, sent.submitted_values, sent.score], [{ wpm: 92.5, errors: 3 }, { wpm: 92.5, errors: 3 }, 925096]);
  await (await playing(exact)).submit({ mode: "pair_mode", values: { wpm: 92.5, errors: 2 } });
  const page = await watching().leaderboard("pair_mode");
  const order = page.entries.filter(({ player }) => [fast, exact].includes(player));
  assert.deepEqual(order.map(({ player }) => player), [exact, fast]);
  assert.deepEqual(order[1].values, { wpm: 92.5, errors: 3 });
  assert.deepEqual((await lb.card("pair_mode")).values, { wpm: 92.5, errors: 3 });
  assert.deepEqual((await lb.me()).today[0].values, { wpm: 92.5, errors: 3 });
  await assert.rejects(lb.submit({ mode: "pair_mode", values: { wpm: 351, errors: 3 } }), (error) =>
    error.code === "score-out-of-bounds" && error.errors[0].pointer === "/values/wpm");
  await assert.rejects(lb.submit({ mode: "pair_mode", score: 92 }), { code: "invalid-request" });
});

test("the own row on an older page has the values of the new score", async () => {
  const lb = await playing(newcomer("moves"));
  await lb.submit({ mode: "pair_mode", values: { wpm: 50, errors: 3 } });
  await lb.leaderboard("pair_mode");
  await lb.submit({ mode: "pair_mode", values: { wpm: 60.25, errors: 1 } });
  const own = (await lb.leaderboard("pair_mode")).entries.find(({ me }) => me);
  assert.deepEqual(own.values, { wpm: 60.25, errors: 1 });
});

test("scores are shown and compared by the mode's values", async () => {
  const mode = (await watching().game()).modes.find(({ name }) => name === "pair_mode");
  const of = (wpm, errors) => ({ values: { wpm, errors } });
  assert.equal(formatScore(mode, of(92.5, 3), "en"), "92.50 wpm, 3 errors");
  assert.deepEqual(showScore(mode, of(92.5, 3), "de"), [{ name: "wpm", text: "92,50" }, { name: "errors", text: "3" }]);
  assert.equal(formatScore({ decimals: 2 }, { score: 12.5 }, "en"), "12.50");
  assert.deepEqual(showScore(mode, {}), []);
  assert.deepEqual(showScore({ decimals: 0 }, { score: null }), []);
  assert.ok(compareScores(mode, of(93, 9), of(92.99, 0)) < 0);
  assert.ok(compareScores(mode, of(93, 2), of(93, 1)) > 0);
  assert.equal(compareScores(mode, of(93, 1), of(93, 1)), 0);
  assert.ok(compareScores({ order: "asc" }, { score: 1 }, { score: 2 }) < 0);
});
