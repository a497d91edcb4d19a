// The client against a server that cuts, throttles and lies. No test depends on the time: waits
// between attempts are 0, and only answers that never come run into a timeout.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as sdk from "../dist/index.js";
import { behaviours as b, hostile, random } from "./hostile.mjs";
import { baseUrl, newcomer, tokenOf } from "./support.mjs";

Math.random = () => 0;

async function meets(t, ...plan) {
  const server = await hostile(t, baseUrl);
  server.plan.push(...plan);
  const player = newcomer("met");
  const token = await tokenOf(player);
  const asked = [];
  const client = (options) => sdk.createClient({ baseUrl: server.url + "/", getToken: (how) => (asked.push(how.fresh), token), requestsPerMinute: Infinity, timeout: 120_000, ...options });
  return { server, player, asked, client, lb: client() };
}

const keys = (server) => new Set(server.seen.map(({ headers }) => headers["idempotency-key"]));

test("reads are sent again when they are cut, throttled or refused for the moment", async (t) => {
  for (const met of ["cutBefore", "cutAfter", "truncated", "truncatedUnseen", "throttled", "down", "gateway"]) {
    const { server, lb } = await meets(t, b[met], b[met]);
    assert.equal((await lb.leaderboard("best_mode")).mode, "best_mode", met);
    assert.equal(server.seen.length, 3, met);
  }
});

test("after two retries it is the caller's turn", async (t) => {
  const { server, lb } = await meets(t, ...Array(9).fill(b.cutBefore));
  await assert.rejects(lb.game(), (error) => error instanceof sdk.NetworkError && error.status === 0 && error.cause !== undefined);
  assert.equal(server.seen.length, 3);
  server.plan = Array(9).fill(b.down);
  await assert.rejects(lb.game(), (error) => error instanceof sdk.TemporarilyUnavailableError && error.retryAfter === 0);
  assert.equal(server.seen.length, 6);
});

test("what will not pass is not sent again", async (t) => {
  for (const [met, wanted] of [
    ["html", sdk.BadAnswerError],
    ["untyped", sdk.BadAnswerError],
    ["notABoard", sdk.BadAnswerError],
    ["nothing", sdk.BadAnswerError],
    ["brokenProblem", sdk.LeaderboardsError],
    ["hostileProblem", sdk.LeaderboardsError],
    ["taken", sdk.DeviceTakenError],
  ]) {
    const { server, lb } = await meets(t, b[met]);
    await assert.rejects(lb.leaderboard("best_mode"), (error) => error instanceof wanted && error.status > 0 && typeof error.message === "string", met);
    assert.equal(server.seen.length, 1, met);
  }
});

test("a key that is still running is waited for, with the same key", async (t) => {
  const { server, lb } = await meets(t, b.running);
  assert.equal((await lb.submit({ mode: "best_mode", score: 3 })).score, 3);
  assert.equal(server.seen.length, 2);
  assert.equal(keys(server).size, 1);
});

test("after a 401 a fresh token is asked for, once", async (t) => {
  const { server, lb, asked } = await meets(t, b.expired);
  await lb.me();
  assert.deepEqual(asked, [false, true]);
  server.plan = [b.expired, b.expired, b.expired];
  await assert.rejects(lb.me(), sdk.UnauthenticatedError);
  assert.equal(server.seen.length, 4);
  server.plan = [b.expired, b.cutBefore, b.down];
  await lb.me(); // renewing the token does not count as a retry
  assert.deepEqual(asked.slice(4), [false, true, true, true]);
});

test("who is signed out is told before anything is sent", async (t) => {
  const { server, client } = await meets(t);
  for (const getToken of [undefined, () => null, async () => ""]) {
    await assert.rejects(client({ getToken }).submit({ mode: "best_mode", score: 1 }), sdk.UnauthenticatedError);
  }
  assert.equal(server.seen.length, 0);
});

test("an answer that never ends is given up, and asked for again under the same key", async (t) => {
  const { server, client } = await meets(t, b.never);
  const lb = client({ timeout: 1_000, maxRetries: 30 }); // however slow the machine, some attempt is answered
  const result = await lb.submit({ mode: "sum_mode", score: 7 });
  assert.deepEqual([result.status, result.score], ["replayed", 7]);
  assert.equal(keys(server).size, 1);
  server.plan = [b.never];
  await assert.rejects(client({ timeout: 50, maxRetries: 0 }).game(), (error) => error instanceof sdk.TimeoutError && /50 ms/.test(error.message));
});

test("whatever is cut, a sum counts once", async (t) => {
  const { server, player, client } = await meets(t);
  const lb = client({ maxRetries: 4 });
  const draw = random(14);
  const kinds = ["cutBefore", "cutAfter", "truncated", "truncatedUnseen", "throttled", "down", "gateway", "running"];
  let sum = 0;
  for (let play = 0; play < 60; play++) {
    const score = 1 + draw(1_000);
    sum += score;
    server.plan = Array.from({ length: draw(5) }, () => b[kinds[draw(kinds.length)]]);
    const planned = server.plan.length;
    const before = server.seen.length;
    const result = await lb.submit({ mode: "sum_mode", score });
    assert.equal(result.score, sum, `play ${play}`);
    assert.equal(server.seen.length - before, planned + 1);
  }
  assert.equal((await lb.card("sum_mode", player)).score, sum);
  assert.equal(keys({ seen: server.seen.filter(({ method }) => method === "POST") }).size, 60);
});

test("whatever is cut, a request of friends or a duel is made once", async (t) => {
  const { server, lb, player } = await meets(t, b.cutAfter, b.gateway);
  const duel = await lb.createDuel();
  assert.equal((await lb.duels()).duels.length, 1);
  assert.equal(duel.players[0], player);
  server.plan = [b.truncated, b.cutAfter];
  await lb.createInvite();
  assert.equal((await lb.exportMe()).invites.length, 1);
});

test("own keys outlive the page", async (t) => {
  const { lb } = await meets(t);
  await lb.submit({ mode: "sum_mode", score: 5 }, { idempotencyKey: "round-17" });
  const again = await lb.submit({ mode: "sum_mode", score: 5 }, { idempotencyKey: "round-17" });
  assert.deepEqual([again.status, again.score], ["replayed", 5]);
});

test("what a player may ask for only so often a day is not sent again by itself", async (t) => {
  const { server, lb } = await meets(t, b.cutBefore, b.cutBefore);
  await assert.rejects(lb.deleteMe(), sdk.NetworkError);
  await assert.rejects(lb.exportMe(), sdk.NetworkError);
  assert.equal(server.seen.length, 2);
});

test("cursors that lead nowhere end a walk", async (t) => {
  const page = (cursor, entries) => JSON.stringify({ mode: "m", period: "day", key: "2026-11-21", scope: "global", total: 1, updated_at: "2026-11-21T00:00:00Z", closed: false, entries, next_cursor: cursor });
  const row = { rank: 1, player: "a", score: 1 };
  const walk = async (answer, options) => {
    const server = await hostile(t, (_, response, n) => response.writeHead(200, { "Content-Type": "application/json" }).end(answer(n)));
    const lb = sdk.createClient({ baseUrl: server.url, ...options });
    let rows = 0;
    for await (const _ of lb.entries("m")) rows++;
    return [rows, server.seen.length];
  };
  await assert.rejects(walk(() => page("same", [row])), sdk.BadAnswerError);
  assert.deepEqual(await walk((n) => page("c" + n, [])), [0, 1], "an empty page is the last one");
  await assert.rejects(walk((n) => page("c" + n, [row])), sdk.TripWireError, "there is always another page");
});

test("an abort ends an attempt and a wait, with its own reason", async (t) => {
  const { server, lb } = await meets(t);
  const reason = new Error("the page was left");
  await assert.rejects(lb.game({ signal: AbortSignal.abort(reason) }), reason);
  assert.equal(server.seen.length, 0);
  const stop = new AbortController();
  server.plan = [() => stop.abort(reason)];
  await assert.rejects(lb.submit({ mode: "best_mode", score: 1 }, { signal: stop.signal }), reason);
  const wait = new AbortController();
  server.plan = [(_, response) => (response.writeHead(503, { "Retry-After": "20" }).end(), response.on("close", () => wait.abort(reason)))];
  await assert.rejects(lb.me({ signal: wait.signal }), reason);
  assert.equal(server.seen.length, 2);
});

test("a stream that lies or is cut leaves the board to be asked for", async (t) => {
  const { stream } = await import("../dist/stream.js");
  const page = (total, closed = false) => JSON.stringify({ mode: "m", period: "day", key: "2026-11-21", scope: "global", total, updated_at: "2026-11-21T00:00:00Z", closed, entries: [] });
  const lies = [
    (response) => response.writeHead(200, { "Content-Type": "text/html" }).end("<p>"),
    (response) => response.writeHead(200, { "Content-Type": "text/event-stream" }).end("event: board\ndata: {\n\n"),
    (response) => response.writeHead(200, { "Content-Type": "text/event-stream" }).write("event: change\ndata: {}\n\nevent: board\nda", () => response.destroy()),
    (response) => response.destroy(),
  ];
  for (const lie of lies) {
    let boards = 0;
    const server = await hostile(t, (request, response) => {
      if (request.url.startsWith("/v1/live/")) return lie(response);
      boards++;
      response.writeHead(200, { "Content-Type": "application/json" }).end(page(boards, boards === 3));
    });
    const totals = [];
    for await (const { total } of sdk.createClient({ baseUrl: server.url, stream }).live("m", { interval: 0 })) totals.push(total);
    assert.deepEqual(totals, [1, 2, 3]);
  }
});
