// Everything that takes time, by a clock that the test moves.
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { stream } from "../dist/stream.js";
import { createClient, RateLimitedError, TripWireError } from "../dist/index.js";

const start = Date.parse("2026-11-21T12:00:00Z");

beforeEach(() => mock.timers.enable({ apis: ["setTimeout", "Date"], now: start }));
afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
  delete globalThis.document;
});

/** Lets everything happen that waits for no timer. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

async function pass(ms) {
  await settle();
  mock.timers.tick(ms);
  await settle();
}

const answer = (status, body, headers = {}) => new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });

/** A client that gets its answers from a list; the last one answers all further requests. */
function client(answers, options = {}) {
  const at = [];
  const inits = [];
  const lb = createClient({
    baseUrl: "https://lb.example",
    fetch: async (url, init) => {
      at.push((Date.now() - start) / 1000);
      inits.push({ url, ...init });
      const next = answers.length > 1 ? answers.shift() : answers[0];
      return next(url, init);
    },
    ...options,
  });
  return { lb, at, inits };
}

const board = (more = {}) => ({ mode: "m", period: "day", key: "2026-11-21", scope: "global", total: 0, updated_at: "2026-11-21T12:00:00Z", closed: false, entries: [], ...more });

test("retries wait a random part of half a second, then of a second", async () => {
  mock.method(Math, "random", () => 0.999);
  const { lb, at } = client([() => answer(503, {}), () => answer(502, {}), () => answer(200, { name: "game" })]);
  const game = lb.game();
  await pass(499);
  assert.equal(at.length, 1);
  await pass(1);
  assert.equal(at.length, 2);
  await pass(1_000);
  assert.equal((await game).name, "game");
  assert.deepEqual(at, [0, 0.5, 1.5]);
});

test("Retry-After wins, as seconds and as a date", async () => {
  mock.method(Math, "random", () => 0);
  const { lb, at } = client([
    () => answer(429, {}, { "Retry-After": "7" }),
    () => answer(503, {}, { "Retry-After": new Date(start + 12_000).toUTCString() }),
    () => answer(200, {}),
  ]);
  const game = lb.game();
  await pass(7_000);
  await pass(5_000);
  await game;
  assert.deepEqual(at, [0, 7, 12]);
});

test("a wait of more than 20 s is the caller's", async () => {
  const { lb, at } = client([() => answer(429, { code: "rate-limited", detail: "wait 21s" }, { "Retry-After": "21" })]);
  await assert.rejects(lb.game(), (error) => error instanceof RateLimitedError && error.retryAfter === 21);
  assert.equal(at.length, 1);
});

test("a Retry-After that says nothing is none", async () => {
  mock.method(Math, "random", () => 0);
  for (const odd of ["soon", "-1", "", "1e999", "Thu, 01 Jan 1970 00:00:00 GMT"]) {
    const { lb, at } = client([() => answer(503, {}, { "Retry-After": odd }), () => answer(200, {})]);
    const game = lb.game();
    await pass(0);
    await game;
    assert.deepEqual(at, [at[0], at[0]], odd);
  }
});

test("the trip wire stops a loop, and lets go after a minute", async () => {
  const { lb, at } = client([() => answer(200, {})]);
  for (let i = 0; i < 120; i++) await lb.game();
  await assert.rejects(lb.game(), (error) => error instanceof TripWireError && /120 requests in a minute/.test(error.message));
  assert.equal(at.length, 120);
  await pass(59_999);
  await assert.rejects(lb.game(), TripWireError);
  await pass(1);
  await lb.game();
  const { lb: free } = client([() => answer(200, {})], { requestsPerMinute: Infinity });
  for (let i = 0; i < 500; i++) await free.game();
});

test("after a score boards are asked for freshly, for a minute", async () => {
  const { lb, inits } = client([() => answer(200, board({ status: "kept", score: 1 }))], { getToken: () => "t" });
  await lb.leaderboard("m");
  await lb.submit({ mode: "m", score: 1 });
  await lb.leaderboard("m");
  await lb.card("m");
  await pass(60_000);
  await lb.leaderboard("m");
  assert.deepEqual(inits.map((init) => init.cache), [undefined, undefined, "no-cache", "no-cache", undefined]);
  await lb.submit({ mode: "m", score: 1 });
  await lb.deleteMe(); // an erased player has no score
  await lb.leaderboard("m");
  assert.equal(inits.at(-1).cache, undefined);
});

async function watch(lb, options, into) {
  for await (const page of lb.live("m", options)) into.push(page);
}

test("a live board is asked for every 5 s, until its period closes", async () => {
  let n = 0;
  const { lb, at } = client([(url) => answer(200, board({ total: ++n, closed: n === 4 }))]);
  const pages = [];
  const watching = watch(lb, {}, pages);
  for (let i = 0; i < 5; i++) await pass(5_000);
  await watching;
  assert.deepEqual(pages.map((page) => page.total), [1, 2, 3, 4]);
  assert.deepEqual(at, [0, 5, 10, 15], "and for no stream");
});

test("a live board asks nothing while the page is hidden", async () => {
  const page = Object.assign(new EventTarget(), { hidden: false });
  globalThis.document = page;
  const show = (shown) => ((page.hidden = !shown), page.dispatchEvent(new Event("visibilitychange")));
  const { lb, at } = client([() => answer(200, board())]);
  const stop = new AbortController();
  const pages = [];
  const watching = watch(lb, { signal: stop.signal }, pages);
  await pass(5_000);
  show(false);
  for (let i = 0; i < 100; i++) await pass(5_000);
  const asked = at.length;
  show(true);
  await pass(0);
  assert.equal(at.length, asked + 1, "at once when it is seen again");
  show(false);
  await pass(5_000);
  stop.abort();
  await watching; // ends without an error, although the page is hidden
  assert.equal(at.length, asked + 1);
});

test("a live board backs off from limits and failures, and comes back", async () => {
  const errors = [];
  const { lb, at } = client(
    [
      () => answer(200, board()),
      () => answer(429, { code: "rate-limited" }, { "Retry-After": "40" }),
      () => Promise.reject(new TypeError("offline")),
      () => Promise.reject(new TypeError("offline")),
      () => answer(200, board({ total: 2 })),
      () => answer(200, board({ closed: true })),
    ],
    { maxRetries: 0 },
  );
  const pages = [];
  const watching = watch(lb, { onError: (error) => errors.push(error.code) }, pages);
  for (let i = 0; i < 40; i++) await pass(5_000);
  await watching;
  assert.deepEqual(errors, ["rate-limited", "network", "network"]);
  assert.deepEqual(at, [0, 5, 45, 105, 165, 170]);
});

test("what will not pass ends a live board", async () => {
  const { lb } = client([() => answer(404, { code: "unknown-mode", detail: "no such mode" })]);
  await assert.rejects(watch(lb, {}, []), { code: "unknown-mode" });
});

test("where the client can read streams, a live board is one", async () => {
  const row = (rank, player, score) => ({ rank, player, score });
  let feed;
  const body = new ReadableStream({ start: (controller) => (feed = controller) });
  const { lb, inits } = client([
    () => answer(200, board()),
    () => new Response(body, { headers: { "Content-Type": "text/event-stream" } }),
  ], { stream });
  const pages = [];
  const watching = watch(lb, { period: "day" }, pages);
  await pass(5_000);
  await settle();
  const send = async (text) => (feed.enqueue(new TextEncoder().encode(text)), await settle(), await settle());
  await send(`retry: 2000\n\nid: 1-1\nevent: board\ndata: ${JSON.stringify(board({ total: 2, entries: [row(1, "é", 9), row(2, "b", 5)] }))}\n\n`);
  await send(": hb\n\n");
  await send('event: change\ndata: {"version":2,"total":3,"updated_at":"2026-11-21T12:00:09Z","entries":[{"rank":1,"pla');
  await send('yer":"c","score":10},{"rank":2,"player":"é","score":9}],"gone":["b"]}\r\n\r\n');
  await send("event: stale\ndata: {}\n\n");
  await send(`event: closed\ndata: ${JSON.stringify(board({ closed: true, total: 3 }))}\n\n`);
  await watching;
  assert.equal(inits[1].url, "https://lb.example/v1/live/m?period=day");
  assert.deepEqual(pages.map((page) => page.total), [0, 2, 3, 3, 3]);
  assert.deepEqual(pages[2].entries, [row(1, "c", 10), row(2, "é", 9)]);
  assert.equal(pages[3].stale, true);
  assert.equal(inits[1].signal.aborted, true, "nothing is left open");
});

test("a stream that is held back on the way is not asked for again", async () => {
  const held = (_, { signal }) => new Response(
    new ReadableStream({ start: (controller) => signal.addEventListener("abort", () => controller.error(signal.reason)) }),
    { headers: { "Content-Type": "text/event-stream" } },
  );
  const { lb, inits, at } = client([() => answer(200, board()), held, () => answer(200, board()), () => answer(200, board()), () => answer(200, board({ closed: true }))], { stream });
  const pages = [];
  const watching = watch(lb, {}, pages);
  await pass(5_000);
  await pass(9_999);
  assert.equal(inits.length, 2, "the stream may still begin");
  await pass(1);
  for (let i = 0; i < 2; i++) await pass(5_000);
  await watching;
  assert.deepEqual(inits.map(({ url }) => url.includes("/live/")), [false, true, false, false, false]);
  assert.deepEqual(at, [0, 5, 15, 20, 25], "then it is pages again");
});

test("a stream that is cut is asked for again, one that is not there is not", async () => {
  const cut = () => new Response(new ReadableStream({ start: (controller) => controller.error(new Error("cut")) }), { headers: { "Content-Type": "text/event-stream" } });
  const { lb, inits } = client([
    () => answer(200, board()),
    cut,
    () => answer(200, board()),
    () => answer(503, {}),
    () => answer(200, board()),
    () => answer(404, { code: "not-found" }),
    () => answer(200, board()),
    () => answer(200, board({ closed: true })),
  ], { stream });
  const pages = [];
  const watching = watch(lb, {}, pages);
  for (let i = 0; i < 8; i++) await pass(5_000);
  await watching;
  assert.equal(pages.length, 5);
  assert.equal(inits.length, 8);
});
