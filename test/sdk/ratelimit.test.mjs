import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Ratelimit } from "@upstash/ratelimit";
import { client, key } from "./support.mjs";

const redis = client();

// The limiters read the time here and send it along, so that windows pass when
// the test says so; the server only expires what they leave behind. The start is
// the beginning of a window of any length that divides a day.
const start = Date.UTC(2026, 0, 1);
let now = start;
mock.method(Date, "now", () => now);

const minute = 60_000;

// limiter counts in the server alone: no memory in front of it, unless asked for.
function limiter(algorithm, options = {}) {
  now = start;
  return new Ratelimit({
    redis,
    limiter: algorithm,
    prefix: key("ratelimit"),
    ephemeralCache: false,
    timeout: 0,
    ...options,
  });
}

async function spend(ratelimit, times, id = "id") {
  const answers = [];
  for (let i = 0; i < times; i++) {
    answers.push(await ratelimit.limit(id));
  }
  return answers;
}

const algorithms = {
  fixedWindow: () => Ratelimit.fixedWindow(3, "1 m"),
  slidingWindow: () => Ratelimit.slidingWindow(3, "1 m"),
  tokenBucket: () => Ratelimit.tokenBucket(3, "1 m", 3),
};

for (const [name, algorithm] of Object.entries(algorithms)) {
  test(`${name} lets the limit pass and nothing beyond`, async () => {
    const ratelimit = limiter(algorithm());
    const answers = await spend(ratelimit, 5);
    assert.deepEqual(answers.map((a) => a.success), [true, true, true, false, false]);
    assert.deepEqual(answers.map((a) => a.remaining), [2, 1, 0, 0, 0]);
    for (const { limit, reset } of answers) {
      assert.equal(limit, 3);
      assert.equal(reset, start + minute);
    }
    assert.equal((await ratelimit.limit("another")).success, true);
  });

  test(`${name} lets pass again after a while`, async () => {
    const ratelimit = limiter(algorithm());
    await spend(ratelimit, 4);
    now = start + 2 * minute;
    assert.deepEqual((await spend(ratelimit, 4)).map((a) => a.success), [true, true, true, false]);
  });

  test(`${name} takes a rate, and gives back a negative one`, async () => {
    const ratelimit = limiter(algorithm());
    assert.equal((await ratelimit.limit("id", { rate: 2 })).remaining, 1);
    assert.equal((await ratelimit.limit("id", { rate: -1 })).remaining, 2);
    assert.equal((await ratelimit.getRemaining("id")).remaining, 2);
  });

  test(`${name} tells what remains without spending it`, async () => {
    const ratelimit = limiter(algorithm());
    assert.deepEqual(await ratelimit.getRemaining("id"), { remaining: 3, reset: start + minute, limit: 3 });
    await spend(ratelimit, 2);
    for (let i = 0; i < 2; i++) {
      assert.deepEqual(await ratelimit.getRemaining("id"), { remaining: 1, reset: start + minute, limit: 3 });
    }
  });

  test(`${name} forgets one identifier on request`, async () => {
    const ratelimit = limiter(algorithm());
    await spend(ratelimit, 3);
    await spend(ratelimit, 3, "another");
    await ratelimit.resetUsedTokens("id");
    assert.equal((await ratelimit.getRemaining("id")).remaining, 3);
    assert.equal((await ratelimit.getRemaining("another")).remaining, 0);
  });

  test(`${name} follows a dynamic limit`, async () => {
    const ratelimit = limiter(algorithm(), { dynamicLimits: true });
    await ratelimit.setDynamicLimit({ limit: 1 });
    assert.deepEqual(await ratelimit.getDynamicLimit(), { dynamicLimit: 1 });
    const answers = await spend(ratelimit, 2);
    assert.deepEqual(answers.map((a) => [a.success, a.limit]), [[true, 1], [false, 1]]);
    await ratelimit.setDynamicLimit({ limit: false });
    assert.equal((await ratelimit.getRemaining("another")).limit, 3);
  });

  test(`${name} counts requests at the same time once each`, async () => {
    const ratelimit = limiter(algorithm());
    const answers = await Promise.all(Array.from({ length: 20 }, () => ratelimit.limit("id")));
    assert.equal(answers.filter((a) => a.success).length, 3);
  });

  test(`${name} leaves no key without an expiry`, async () => {
    const prefix = key("ratelimit");
    await spend(limiter(algorithm(), { prefix }), 1);
    const keys = await redis.keys(`${prefix}:*`);
    assert.equal(keys.length, 1);
    assert.ok((await redis.pttl(keys[0])) > 1000);
  });

  test(`${name} remembers who is blocked`, async () => {
    const cache = new Map();
    const ratelimit = limiter(algorithm(), { ephemeralCache: cache });
    const answers = await spend(ratelimit, 5);
    assert.deepEqual(answers.map((a) => a.reason), [undefined, undefined, undefined, undefined, "cacheBlock"]);
    assert.equal(cache.size, 1);
    now = start + 2 * minute;
    assert.equal((await ratelimit.limit("id")).success, true);
  });
}

// The clock runs from the beginning of a window while body does.
async function withRunningClock(body) {
  const began = performance.now();
  Date.now.mock.mockImplementation(() => Math.floor(start + performance.now() - began));
  try {
    await body();
  } finally {
    Date.now.mock.mockImplementation(() => now);
  }
}

for (const [name, once] of Object.entries({
  fixedWindow: (window) => Ratelimit.fixedWindow(1, window),
  slidingWindow: (window) => Ratelimit.slidingWindow(1, window),
  tokenBucket: (window) => Ratelimit.tokenBucket(1, window, 1),
})) {
  test(`${name} waits until the request may pass, or gives up`, async () => {
    const soon = limiter(once("100 ms"));
    const tomorrow = limiter(once("1 d"));
    await withRunningClock(async () => {
      for (let i = 0; i < 2; i++) {
        assert.equal((await soon.blockUntilReady("id", 60 * minute)).success, true);
      }
      assert.equal((await tomorrow.blockUntilReady("id", 10)).success, true);
      assert.equal((await tomorrow.blockUntilReady("id", 10)).success, false);
    });
  });
}

test("slidingWindow weighs the window before", async () => {
  const ratelimit = limiter(Ratelimit.slidingWindow(10, "1 m"));
  await spend(ratelimit, 8);
  now = start + 1.25 * minute; // three quarters of the 8 still count
  assert.equal((await ratelimit.getRemaining("id")).remaining, 4);
  assert.deepEqual((await spend(ratelimit, 5)).map((a) => a.success), [true, true, true, true, false]);
  now = start + 1.5 * minute;
  assert.equal((await ratelimit.getRemaining("id")).remaining, 2);
});

test("tokenBucket refills step by step, up to its size", async () => {
  const ratelimit = limiter(Ratelimit.tokenBucket(2, "10 s", 5));
  await spend(ratelimit, 5);
  now = start + 10_000;
  assert.deepEqual((await spend(ratelimit, 3)).map((a) => a.success), [true, true, false]);
  now = start + 60 * minute;
  assert.equal((await ratelimit.limit("id")).remaining, 4);
});

test("tokenBucket refuses a rate beyond what is left, and takes nothing", async () => {
  const ratelimit = limiter(Ratelimit.tokenBucket(1, "1 m", 5));
  assert.equal((await ratelimit.limit("id", { rate: 4 })).success, true);
  assert.equal((await ratelimit.limit("id", { rate: 4 })).success, false);
  assert.equal((await ratelimit.getRemaining("id")).remaining, 1);
});

test("cachedFixedWindow answers from memory and tells the server later", async () => {
  const prefix = key("ratelimit");
  const ratelimit = limiter(Ratelimit.cachedFixedWindow(3, "1 m"), { prefix, ephemeralCache: new Map() });
  const answers = await spend(ratelimit, 5);
  assert.deepEqual(answers.map((a) => a.success), [true, true, true, false, false]);
  await Promise.all(answers.map((a) => a.pending));
  assert.equal(await redis.get(`${prefix}:id:${start / minute}`), 3);
});

test("analytics count who passed and who did not", async () => {
  const ratelimit = limiter(Ratelimit.fixedWindow(2, "1 m"), { analytics: true });
  const answers = [...(await spend(ratelimit, 3)), ...(await spend(ratelimit, 1, "another"))];
  await Promise.all(answers.map((a) => a.pending));
  const { allowed, ratelimited, denied } = await ratelimit.analytics.getMostAllowedBlocked(1, 5);
  assert.deepEqual(allowed, [{ identifier: "id", count: 2 }, { identifier: "another", count: 1 }]);
  assert.deepEqual(ratelimited, [{ identifier: "id", count: 1 }]);
  assert.deepEqual(denied, []);
  const [bucket] = await ratelimit.analytics.getUsageOverTime(1, "success");
  assert.deepEqual(bucket.success, { true: 3, false: 1 });
});

test("a deny list refuses whom it names", async () => {
  const prefix = key("ratelimit");
  await redis.sadd(`${prefix}:denyList:all`, "10.0.0.1");
  await redis.set(`${prefix}:ipDenyListStatus`, "disabled"); // no list from elsewhere
  const ratelimit = limiter(Ratelimit.fixedWindow(10, "1 m"), { prefix, enableProtection: true });
  const refused = await ratelimit.limit("id", { ip: "10.0.0.1" });
  assert.deepEqual([refused.success, refused.reason, refused.deniedValue], [false, "denyList", "10.0.0.1"]);
  assert.equal((await ratelimit.limit("id", { ip: "10.0.0.2" })).success, true);
});
