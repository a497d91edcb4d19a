import assert from "node:assert/strict";
import { test } from "node:test";
import { client, key } from "./support.mjs";

const redis = client();

async function stream(...ids) {
  const k = key("stream");
  for (const id of ids) {
    await redis.xadd(k, id, { n: Number(id.split("-")[0]) });
  }
  return k;
}

test("xadd and xlen", async () => {
  const k = key();
  assert.equal(await redis.xadd(k, "1-1", { a: 1, b: { c: "d" } }), "1-1");
  assert.equal(await redis.xadd(k, "2-*", { a: 2 }), "2-0");
  assert.match(await redis.xadd(k, "*", { a: 3 }), /^\d{13}-\d+$/);
  assert.equal(await redis.xlen(k), 3);
  await assert.rejects(redis.xadd(k, "1-1", { a: 1 }), /ERR The ID specified in XADD is equal or smaller/);
  assert.equal(await redis.xadd(key(), "*", { a: 1 }, { nomkStream: true }), null);
});

test("xadd trims", async () => {
  const k = await stream("1-0", "2-0", "3-0");
  await redis.xadd(k, "4-0", { n: 4 }, { trim: { type: "MAXLEN", comparison: "=", threshold: 3 } });
  assert.deepEqual(Object.keys(await redis.xrange(k, "-", "+")), ["2-0", "3-0", "4-0"]);
  await redis.xadd(k, "5-0", { n: 5 }, { trim: { type: "minid", comparison: "=", threshold: "4-0" } });
  assert.deepEqual(Object.keys(await redis.xrange(k, "-", "+")), ["4-0", "5-0"]);
});

test("xrange and xrevrange", async () => {
  const k = await stream("1-0", "2-0", "3-0");
  assert.deepEqual(await redis.xrange(k, "-", "+"), { "1-0": { n: 1 }, "2-0": { n: 2 }, "3-0": { n: 3 } });
  assert.deepEqual(await redis.xrange(k, "(1-0", "+", 1), { "2-0": { n: 2 } });
  assert.deepEqual(Object.keys(await redis.xrevrange(k, "+", "-", 2)), ["3-0", "2-0"]);
  assert.deepEqual(await redis.xrange(key(), "-", "+"), {});
});

test("xread", async () => {
  const [a, b] = [await stream("1-0", "2-0"), await stream("9-0")];
  assert.deepEqual(await redis.xread(a, "1-0"), [[a, [["2-0", ["n", 2]]]]]);
  assert.deepEqual(await redis.xread([a, b], ["0-0", "0-0"], { count: 1 }), [
    [a, [["1-0", ["n", 1]]]],
    [b, [["9-0", ["n", 9]]]],
  ]);
  assert.equal(await redis.xread(a, "2-0"), null);
});

test("xdel and xtrim", async () => {
  const k = await stream("1-0", "2-0", "3-0", "4-0");
  assert.equal(await redis.xdel(k, ["1-0", "99-0"]), 1);
  assert.equal(await redis.xtrim(k, { strategy: "MAXLEN", exactness: "=", threshold: 2 }), 1);
  assert.equal(await redis.xtrim(k, { strategy: "MINID", exactness: "=", threshold: "4-0" }), 1);
  assert.equal(await redis.xlen(k), 1);
});

test("a read that would block is refused", async () => {
  const k = await stream("1-0");
  await assert.rejects(redis.xread(k, "1-0", { blockMS: 1000 }), /ERR Command is not available/);
});

test("trimming to about a length comes close to it", async () => {
  const k = key();
  for (let i = 1; i <= 450; i++) {
    await redis.xadd(k, `${i}-0`, { n: i });
  }
  await redis.xtrim(k, { strategy: "MAXLEN", exactness: "~", threshold: 250 });
  const length = await redis.xlen(k);
  assert.ok(length >= 240 && length <= 260, `${length}`);
});
