// Every method once, against the whole product; contract.mjs looks at each answer.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient, DateClosedError, LeaderboardsError, NotOnBoardError, RateLimitedError, ScoreOutOfBoundsError, UnauthenticatedError, UnknownModeError } from "../dist/index.js";
import { createOps } from "../dist/ops.js";
import { stream } from "../dist/stream.js";
import { watchDuel } from "../dist/watch.js";
import { answered, checked, operations } from "./contract.mjs";
import { baseUrl, commands, newcomer, playing, tokenOf, watching } from "./support.mjs";

test("boards are read by anybody", async () => {
  const [ana, bo] = [newcomer("ana"), newcomer("bo")];
  await (await playing(ana)).submit({ mode: "best_mode", score: 700 });
  await (await playing(bo)).submit({ mode: "best_mode", score: 600 });
  const lb = watching();
  assert.deepEqual((await lb.game()).modes.map((mode) => mode.name), ["best_mode", "sum_mode", "first_mode", "pair_mode"]);
  const page = await lb.leaderboard("best_mode", { limit: 200 });
  assert.equal(page.entries.find((row) => row.player === ana).score, 700);
  assert.equal((await lb.card("best_mode", ana)).score, 700);
  assert.ok((await lb.around("best_mode", bo, { range: 3 })).entries.some((row) => row.player === bo));
  assert.deepEqual((await lb.lookup("best_mode", [bo, ana, "nobody"])).entries.map((row) => row.player), [ana, bo]);
  assert.equal((await lb.leaderboard("best_mode", { period: "week", offset: 1, limit: 1 })).period, "week");
});

test("entries are all rows, page by page, and none twice", async () => {
  const players = await Promise.all(Array.from({ length: 7 }, async (_, i) => {
    const player = newcomer("walk");
    await (await playing(player)).submit({ mode: "first_mode", score: 10 * i });
    return player;
  }));
  let pages = 0;
  const lb = watching({ fetch: (...given) => (pages++, checked(...given)) });
  const walked = [];
  for await (const entry of lb.entries("first_mode", { limit: 2 })) walked.push(entry.player);
  assert.equal(new Set(walked).size, walked.length);
  assert.deepEqual(players.filter((player) => !walked.includes(player)), []);
  assert.equal(pages, Math.ceil(walked.length / 2));
  for await (const _ of lb.entries("first_mode", { limit: 2 })) break; // who leaves asks no more
  assert.equal(pages, Math.ceil(walked.length / 2) + 1);
});

test("what is one's own", async () => {
  const lb = await playing();
  assert.equal((await lb.card("best_mode")).rank, null, "before the first play");
  const result = await lb.submit({ mode: "best_mode", score: 500, details: { guesses: 3 }, country: "PT", view: ["around", "friends", "week", "me"] });
  assert.equal(result.status, "accepted");
  assert.equal(result.view.week.score, 500);
  assert.equal((await lb.card("best_mode", "me", { near: result.rank })).score, 500);
  assert.ok((await lb.around("best_mode")).entries.some((row) => row.me));
  assert.equal((await lb.friendsLeaderboard("best_mode", { period: "week" })).entries[0].me, true);
  assert.equal((await lb.me()).player, result.player);
  assert.equal((await lb.updateMe({ country: "BR" })).profile.country, "BR");
  assert.equal((await lb.exportMe()).known, true);
  assert.equal((await lb.deleteMe()).known, true);
});

test("friends", async () => {
  const [ana, bo] = [newcomer("ana"), newcomer("bo")];
  const [a, b] = [await playing(ana), await playing(bo)];
  assert.equal((await a.requestFriend(bo)).status, "requested");
  assert.equal((await b.acceptFriend(ana)).status, "friends");
  assert.equal((await a.friends()).friends[0].player, bo);
  assert.equal(await a.removeFriend(bo), undefined);
  await b.requestFriend(ana);
  await a.dropRequest(bo);
  await a.block(bo);
  assert.equal((await a.friends()).blocked[0].player, bo);
  await a.unblock(bo);
  const invite = await a.createInvite({ uses: 1 });
  assert.equal((await b.acceptInvite(invite.code)).status, "friends");
});

test("duels", async () => {
  const [ana, bo] = [newcomer("ana"), newcomer("bo")];
  const [a, b] = [await playing(ana), await playing(bo)];
  const { id } = await a.createDuel({ opponent: bo });
  assert.equal((await b.acceptDuel(id)).status, "ready");
  await a.duelResult(id, { winner: ana, score: [3, 1] });
  assert.equal((await b.duelResult(id, { winner: ana, score: [3, 1] })).status, "decided");
  assert.equal((await a.duel(id)).winner, ana);
  assert.equal((await a.duels({ limit: 1 })).duels.length, 1);
  assert.equal((await b.rematch(id)).players[0], bo);
  assert.equal((await a.queueDuel()).status, "queued");
  assert.equal((await a.leaveDuelQueue()).status, "left");
});

test("devices", async () => {
  const device = await watching().createDevice();
  const lb = createClient({ baseUrl, fetch: checked, getToken: () => device.token });
  assert.equal((await lb.submit({ mode: "best_mode", score: 5 })).player, device.player);
  assert.equal((await (await playing()).claim(device.token)).device, device.player);
});

test("the operator", async () => {
  const player = newcomer("cheat");
  const { date } = await (await playing(player)).submit({ mode: "best_mode", score: 999 });
  const ops = createOps({ baseUrl, fetch: checked, getToken: () => process.env.OPS_TOKEN });
  await ops.health();
  await ops.status();
  await ops.usage({ days: 2, by: "route" });
  assert.equal((await ops.removeScore({ mode: "best_mode", date, player })).player, player);
  assert.equal((await ops.ban(player, { reason: "a script" })).player, player);
  assert.ok((await ops.bans({ limit: 5 })).bans.some((ban) => ban.player === player));
  assert.equal((await ops.unban(player)).player, player);
  assert.equal((await ops.player(player)).player, player);
  assert.equal((await ops.removePlayer(player)).player, player);
  await ops.log({ limit: 5 });
  assert.deepEqual(await ops.deadLetters(), { failed_runs: null, queued_scores: null });
  await assert.rejects(ops.redrive(), { code: "not-found" });
  const now = Date.parse((await watching().leaderboard("best_mode")).updated_at); // by the product's clock
  assert.equal((await ops.setMaintenance({ until: new Date(now + 3_600_000).toISOString(), reason: "moving" })).on, true);
  assert.equal((await ops.maintenance()).on, true);
  assert.equal((await ops.endMaintenance()).on, false);
});

test("problems are errors of their own classes", async () => {
  const lb = await playing();
  await assert.rejects(lb.leaderboard("no_such_mode"), (error) => {
    assert.ok(error instanceof UnknownModeError && error instanceof LeaderboardsError);
    assert.deepEqual([error.name, error.status, error.code], ["UnknownModeError", 404, "unknown-mode"]);
    assert.match(error.type, /problems\.md#unknown-mode$/);
    assert.match(error.requestId, /./);
    return true;
  });
  await assert.rejects(lb.card("best_mode", "nobody_at_all"), NotOnBoardError);
  await assert.rejects(lb.submit({ mode: "best_mode", score: -1 }), (error) => error instanceof ScoreOutOfBoundsError && error.errors[0].pointer === "/score");
  await assert.rejects(lb.submit({ mode: "best_mode", score: 1, date: "2020-01-01" }), (error) => error instanceof DateClosedError && error.openDates.length > 0);
  await assert.rejects(watching().me(), UnauthenticatedError);
});

test("public reads carry no token and cost no preflight", async () => {
  const seen = [];
  const lb = createClient({ baseUrl, getToken: () => assert.fail("asked for a token"), fetch: (url, init) => (seen.push(init), checked(url, init)) });
  await lb.game();
  await lb.leaderboard("best_mode");
  await assert.rejects(lb.card("best_mode", "nobody"), NotOnBoardError);
  await lb.lookup("best_mode", ["nobody"]);
  assert.deepEqual(seen.slice(0, 3).map((init) => init.headers), [{}, {}, {}]);
  assert.deepEqual(Object.keys(seen[3].headers), ["Content-Type"]);
});

test("a live board is streamed", async () => {
  const player = newcomer("live");
  const somebody = await playing(player);
  let requests = 0;
  const lb = watching({ stream, fetch: (...given) => (requests++, checked(...given)) });
  let pages = 0;
  for await (const page of lb.live("best_mode", { interval: 1 })) {
    if (page.entries.some((row) => row.player === player)) break;
    if (++pages === 2) await somebody.submit({ mode: "best_mode", score: 650 }); // the stream has begun
  }
  assert.ok(pages >= 2);
  assert.equal(requests, 2, "a page, and the stream that told of all else");
});

test("a duel is watched until it is decided", async () => {
  const [ana, bo] = [newcomer("ana"), newcomer("bo")];
  const [a, b] = [await playing(ana), await playing(bo)];
  const { id } = await a.createDuel({ opponent: bo });
  let questions = 0;
  const getToken = () => tokenOf(ana);
  const asked = { duel: (...given) => (questions++, a.duel(...given)) };
  const next = { waiting: () => b.acceptDuel(id), ready: (duel) => (duel.reported ? b : a).duelResult(id, { winner: ana }), decided: () => {} };
  const seen = [];
  for await (const duel of watchDuel(asked, id, { baseUrl, getToken, fetch: checked, interval: 1 })) {
    seen.push(duel.status);
    await next[duel.status](duel);
  }
  assert.deepEqual(seen, ["waiting", "ready", "ready", "decided"]);
  assert.equal(questions, 0, "the stream told of all");
});

test("where duels are not streamed, they are asked for", async () => {
  const [ana, bo] = [newcomer("ana"), newcomer("bo")];
  const [a, b] = [await playing(ana), await playing(bo)];
  const { id } = await a.createDuel({ opponent: bo });
  const none = [() => new Response("no", { status: 501 })];
  const next = { waiting: () => b.acceptDuel(id), ready: (duel) => (duel.reported ? b : a).duelResult(id, { winner: ana }), decided: () => {} };
  const seen = [];
  for await (const duel of watchDuel(a, id, { baseUrl, fetch: () => none.pop()(), interval: 1 })) {
    seen.push(duel.status);
    await next[duel.status](duel);
  }
  assert.deepEqual(seen, ["waiting", "ready", "ready", "decided"]);
  await assert.rejects(async () => {
    for await (const _ of watchDuel(a, "nothing", { baseUrl, getToken: () => tokenOf(ana), interval: 1 })) assert.fail();
  }, { code: "unknown-duel" });
});

test("every route that players and operators have was asked", () => {
  const other = ["submitScores", "takeClerkWebhook", "getDocument", "redriveDeadLetters"]; // of game servers, of Clerk, the document itself, of a product with a queue
  assert.deepEqual(operations(["scores", "boards", "me", "friends", "duels", "operator", "about"]).filter((id) => !answered.has(id) && !other.includes(id)), []);
});
