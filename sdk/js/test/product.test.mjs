// Calls every method once, against the whole product; contract.mjs checks each answer.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient, DateClosedError, LeaderboardsError, NotOnBoardError, RateLimitedError, ScoreOutOfBoundsError, TooLittleError, UnauthenticatedError, UnknownModeError } from "../dist/index.js";
import { createOps } from "../dist/ops.js";
import { startPlay, submitPlay } from "../dist/plays.js";
import { races, startsIn } from "../dist/races.js";
import { createLeagues } from "../dist/leagues.js";
import { createResults } from "../dist/results.js";
import { stream } from "../dist/stream.js";
import { createBadges } from "../dist/badges.js";
import { createWorlds } from "../dist/world.js";
import { createDistributions } from "../dist/distribution.js";
import { createFeed } from "../dist/feed.js";
import { createWallets } from "../dist/wallets.js";
import { watchDuel } from "../dist/watch.js";
import { answered, checked, operations } from "./contract.mjs";
import { baseUrl, commands, newcomer, pass, playing, tokenOf, watching } from "./support.mjs";

test("boards are read by anybody", async () => {
  const [ana, bo] = [newcomer("ana"), newcomer("bo")];
  await (await playing(ana)).submit({ mode: "best_mode", score: 700 });
  await (await playing(bo)).submit({ mode: "best_mode", score: 600 });
  const lb = watching();
  assert.deepEqual((await lb.game()).modes.map((mode) => mode.name), ["best_mode", "sum_mode", "first_mode", "pair_mode", "typed_mode"]);
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
  for await (const _ of lb.entries("first_mode", { limit: 2 })) break; // leaving the loop ends the requests
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
  assert.equal((await b.invite(invite.code)).player, ana);
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
  const { id: again, players } = await b.rematch(id);
  assert.equal(players[0], bo);
  assert.equal((await a.declineDuel(again)).status, "expired");
  assert.equal((await a.queueDuel()).status, "queued");
  assert.equal((await a.leaveDuelQueue()).status, "left");
});

test("devices", async () => {
  const device = await watching().createDevice();
  const lb = createClient({ baseUrl, fetch: checked, getToken: () => device.token });
  assert.equal((await lb.submit({ mode: "best_mode", score: 5 })).player, device.player);
  assert.equal((await (await playing()).claim(device.token)).device, device.player);
});

test("a league is joined by playing", async () => {
  const player = newcomer("league");
  const leagues = createLeagues({ baseUrl, fetch: checked, getToken: () => tokenOf(player) });
  await (await playing(player)).submit({ mode: "first_mode", score: 10 });
  const mine = await leagues.mine();
  assert.deepEqual([mine.state, mine.entries.find((entry) => entry.me)?.player], ["playing", player]);
});

test("results, wallets and presence", async () => {
  const player = newcomer("rich");
  const options = { baseUrl, fetch: checked, getToken: () => tokenOf(player) };
  const wallets = createWallets(options);
  await (await playing(player)).submit({ mode: "best_mode", score: 10 });
  assert.equal((await createResults(options).page({ mode: "best_mode" })).results[0].score, 10);
  assert.deepEqual((await createResults(options).ranks({ mode: "best_mode" })).ranks, [], "the day is open");
  assert.deepEqual((await wallets.wallets()).wallets, { coins: { balance: 3, earned: 3, spent: 0 } });
  const key = { idempotencyKey: newcomer("key") };
  const spent = await wallets.spend("coins", { amount: 2, item: "hat" }, key);
  assert.deepEqual([spent.player, spent.balance, spent.item], [player, 1, "hat"]);
  assert.deepEqual(await wallets.spend("coins", { amount: 2, item: "hat" }, key), spent, "once");
  await assert.rejects(wallets.spend("coins", { amount: 2 }), (error) => error instanceof TooLittleError && error.status === 409);
  assert.ok((await createWallets({ baseUrl, fetch: checked }).presence()).players >= 0);
});

test("how everybody did", async () => {
  const player = newcomer("counted");
  await (await playing(player)).submit({ mode: "first_mode", score: 10 });
  const mine = await createDistributions({ baseUrl, fetch: checked, getToken: () => tokenOf(player) }).own("first_mode", { buckets: 5 });
  assert.ok(mine.buckets.length <= 5 && mine.buckets[mine.me.bucket].players >= 1, JSON.stringify(mine));
  assert.equal(mine.buckets.reduce((sum, bucket) => sum + bucket.players, 0), mine.total);
  const all = await createDistributions({ baseUrl, fetch: checked }).of("first_mode");
  assert.deepEqual([all.total >= 1, all.me], [true, undefined]);
});

test("a board of all sites that has not been merged", async () => {
  const worlds = createWorlds({ baseUrl, fetch: checked, getToken: () => tokenOf(newcomer("alone")) });
  const board = await worlds.page("first_mode", { period: "week", limit: 5 });
  assert.deepEqual([board.scope, board.sites, board.entries, board.total], ["world", [], [], 0]);
  assert.equal((await worlds.own("first_mode")).me, undefined);
  await assert.rejects(worlds.page("first_mode", { period: "last7" }), { status: 400 });
});

test("what has changed", async () => {
  const player = newcomer("fed");
  await (await playing(player)).submit({ mode: "best_mode", score: 11 });
  const { feed } = createFeed({ baseUrl, fetch: checked });
  const { entries } = await feed({ mode: "best_mode", limit: 5 });
  assert.deepEqual([entries[0].player, entries[0].score, entries.length <= 5], [player, 11, true]);
});

test("badges", async () => {
  const player = newcomer("badged");
  const badges = createBadges({ baseUrl, fetch: checked, getToken: () => tokenOf(player) });
  assert.deepEqual(await badges.own({ limit: 5 }), { player, badges: [] });
  assert.deepEqual(await badges.of("me"), { player, badges: [] });
  assert.deepEqual(await createBadges({ baseUrl, fetch: checked }).of(player, { limit: 5 }), { player, badges: [] });
});

test("plays are proved, and who types by a clock is held", async () => {
  const ops = createOps({ baseUrl, fetch: checked, getToken: () => process.env.OPS_TOKEN });
  const typists = await Promise.all(["ana", "bo"].map(async (name) => {
    const player = newcomer(name);
    const getToken = () => tokenOf(player);
    return { player, lb: await playing(player), play: await startPlay({ baseUrl, fetch: checked, getToken }, "typed_mode") };
  }));
  await pass(Date.parse(typists[1].play.expires_at) - 300_000 + 5_100); // a play is good for five minutes, and this one takes five seconds
  for (const { lb, play } of typists) {
    const typed = play.challenge.text.slice(0, 40);
    const proof = { typed, gaps: [...typed].map((_, i) => (i ? 110 : 0)), holds: [...typed].map(() => 60) };
    assert.equal((await submitPlay(lb, play, { proof })).status, "held");
  }
  const { held } = await ops.held({ limit: 1000 });
  const [first, second] = typists.map(({ player }) => held.find((one) => one.player === player));
  assert.equal((await ops.passHeld(first.id)).player, first.player);
  await ops.dropHeld(second.id);
  assert.equal((await ops.statistics({ days: 7 })).banned >= 0, true);
  assert.deepEqual((await ops.players({ name: "nobody’s name" })).players, []);
});

test("races", async () => {
  const [a, b] = [newcomer("ana"), newcomer("bo")].map((player) => races({ baseUrl, fetch: checked, getToken: () => tokenOf(player) }));
  const { id, state } = await a.make({ mode: "typed_mode", players: 2, invite: true });
  assert.equal(state, "waiting");
  const ready = await b.join(id);
  assert.equal(ready.state, "ready");
  assert.ok(startsIn(ready) > 0);
  const own = await a.race(id);
  assert.equal(own.challenge.text, ready.challenge.text);
  assert.notEqual(own.play, ready.play);
  await pass(Date.parse(own.starts_at) + 100);
  assert.equal(Object.values((await a.progress(id, 0.4)).progress).includes(0.4), true);
  assert.equal((await b.leave(id)).players.find((seat) => seat.left).left, true);
  const alone = races({ baseUrl, fetch: checked, getToken: () => tokenOf("user_alone_" + process.pid) });
  assert.equal((await alone.queue("typed_mode")).state, "waiting");
  assert.equal((await alone.leaveQueue()).status, "left");
  await assert.rejects(a.race("nothing"), { code: "unknown-race" });
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
  await assert.rejects(ops.audit({ player }), { code: "not-found" }); // the game records nothing
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
  const other = ["submitScores", "takeClerkWebhook", "getDocument", "redriveDeadLetters", "getLiveRace", "queryGraph", "keptGraphQuery", "readAudit"]; // of game servers, of Clerk, the document itself, of a product with a queue, of pages that show a race, of clients of GraphQL, of games with an audit
  assert.deepEqual(operations(["scores", "boards", "me", "friends", "duels", "races", "operator", "about"]).filter((id) => !answered.has(id) && !other.includes(id)), []);
});
