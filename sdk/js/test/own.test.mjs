// The law of the own row: if no other player has moved, a page that was read before the score,
// merged with the answer to the score, equals the page after it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "../dist/index.js";
import { random } from "./hostile.mjs";

const key = "2026-11-21";
const before = "2026-11-21T12:00:00Z";
const played = "Sat, 21 Nov 2026 12:00:05 GMT";

/** The rows of a board, best first: [player, score, when]. */
function ranked(scores, { shared, asc }) {
  const rows = [...scores].map(([player, { score, at }]) => ({ player, score, at }));
  rows.sort((a, b) => (asc ? a.score - b.score : b.score - a.score) || a.at - b.at);
  return rows.map(({ player, score }, i) => ({ rank: 1 + (shared ? rows.findIndex((row) => row.score === score) : i), player, score }));
}

function page(rows, { offset = 0, limit }, updated_at) {
  const entries = rows.slice(offset, offset + limit);
  return { mode: "m", period: "day", key, scope: "global", total: rows.length, updated_at, closed: false, entries, ...(offset + limit < rows.length && entries.length ? { next_cursor: "c" } : {}) };
}

/** What the client makes of a page after a submission. */
async function merged(answer, old, query = {}) {
  const bodies = [answer, old];
  const lb = createClient({
    baseUrl: "",
    getToken: () => "t",
    fetch: async () => new Response(JSON.stringify(bodies.shift()), { headers: { "Content-Type": "application/json", Date: played } }),
  });
  await lb.submit({ mode: "m", score: answer.submitted });
  return lb.leaderboard("m", query);
}

const unmarked = (page) => ({ ...page, updated_at: "", next_cursor: undefined, entries: page.entries.map(({ me, ...row }) => row) });

test("an old page becomes the new one", async () => {
  const draw = random(7);
  for (let round = 0; round < 1_000; round++) {
    const rules = { shared: draw(2) === 1, asc: draw(2) === 1 };
    const scores = new Map();
    for (let i = draw(9); i > 0; i--) scores.set("p" + i, { score: draw(5), at: draw(1_000) * 10 + i });
    if (draw(2)) scores.set("me", { score: draw(5), at: 5 });
    const old = ranked(scores, rules);
    const was = scores.get("me");
    // The policy is best: the submitted score counts only if it is better.
    const submitted = draw(5);
    const better = !was || (rules.asc ? submitted < was.score : submitted > was.score);
    if (better) scores.set("me", { score: submitted, at: 1e6 });
    const now = ranked(scores, rules);
    const own = now.find((row) => row.player === "me");
    const answer = { mode: "m", date: key, player: "me", status: !was ? "accepted" : better ? "improved" : "kept", submitted, score: own.score, rank: own.rank, total: now.length, percentile: 1, board: "" };
    const limit = 1 + draw(4);
    // On one page, as a whole.
    const whole = await merged(answer, page(old, { limit: 50 }, before));
    assert.deepEqual(unmarked(whole), unmarked(page(now, { limit: 50 }, before)), JSON.stringify({ round, rules, old, answer }));
    // In a walk through the old pages the row appears once, in its place.
    let rows = [];
    for (let offset = 0; offset === 0 || offset < old.length; offset += limit) {
      const part = await merged(answer, page(old, { offset, limit }, before), { limit, ...(offset ? { offset } : {}) });
      assert.equal(part.total, now.length);
      rows = rows.concat(part.entries);
    }
    const mine = rows.filter((row) => row.player === "me");
    // It may be missing if it belongs between two pages, since neither knows whether the other
    // shows it, or if equal scores go on from the page before.
    const others = now.filter((row) => row !== own);
    const pageOf = (row) => Math.floor(old.findIndex(({ player }) => player === row.player) / limit);
    const at = now.indexOf(own);
    const below = others[at] ? pageOf(others[at]) : Math.floor((old.length - 1) / limit);
    const tied = rules.shared && others.some((row) => row.score === own.score && pageOf(row) > 0);
    const between = tied || (at > 0 && pageOf(others[at - 1]) !== below);
    assert.ok(mine.length === 1 || (between && mine.length === 0), JSON.stringify({ round, rules, old, answer, limit, rows }));
    for (const row of mine) assert.deepEqual([row.rank, row.score, row.me], [own.rank, own.score, true]);
    assert.deepEqual(rows.filter((row) => row.player !== "me").map((row) => row.player), now.filter((row) => row.player !== "me").map((row) => row.player));
    // A page that was read after the score stays as it is.
    assert.deepEqual(unmarked(await merged(answer, page(now, { limit }, "2026-11-21T12:00:06Z"))), unmarked(page(now, { limit }, before)));
  }
});

test("other boards are left as they are, and so are later pages", async () => {
  const answer = { mode: "m", date: key, player: "me", status: "accepted", submitted: 9, score: 9, rank: 1, total: 2, percentile: 100, board: "" };
  const old = page([{ rank: 1, player: "a", score: 5 }], { limit: 10 }, before);
  for (const other of [{ scope: "country:BR" }, { period: "week", key: "2026-W47" }, { key: "2026-11-20" }, { mode: "n" }, { updated_at: "2026-11-21T12:00:06Z" }]) {
    assert.deepEqual(unmarked(await merged(answer, { ...old, ...other })), unmarked({ ...old, ...other }), JSON.stringify(other));
  }
  assert.equal((await merged(answer, old)).entries[0].player, "me");
  assert.equal((await merged({ ...answer, status: "queued", rank: undefined }, old)).entries.length, 1);
});

test("with a view the row has its name, and the week's board is as exact", async () => {
  const mine = { rank: 1, player: "me", score: 9, name: "Ana", country: "BR" };
  const week = { mode: "m", period: "week", key: "2026-W47", scope: "global", rank: 2, player: "me", score: 20, total: 2 };
  const answer = { mode: "m", date: key, player: "me", status: "accepted", submitted: 9, score: 9, rank: 1, total: 1, percentile: 100, board: "", view: { around: { entries: [mine] }, week } };
  assert.deepEqual((await merged(answer, page([], { limit: 10 }, before))).entries, [{ ...mine, me: true }]);
  const old = { ...page([{ rank: 1, player: "a", score: 30 }, { rank: 2, player: "me", score: 11 }], { limit: 10 }, before), period: "week", key: "2026-W47" };
  assert.deepEqual((await merged(answer, old)).entries.map(({ player, score }) => [player, score]), [["a", 30], ["me", 20]]);
});
