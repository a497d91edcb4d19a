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

async function grouped(...ids) {
  const k = await stream(...ids);
  assert.equal(await redis.xgroup(k, { type: "CREATE", group: "g", id: "0" }), "OK");
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

test("groups are made once", async () => {
  const k = await grouped("1-0");
  await assert.rejects(redis.xgroup(k, { type: "CREATE", group: "g", id: "0" }), /BUSYGROUP/);
  assert.equal(await redis.xgroup(key(), { type: "CREATE", group: "g", id: "$", options: { MKSTREAM: true } }), "OK");
  assert.equal(await redis.xgroup(k, { type: "CREATECONSUMER", group: "g", consumer: "c" }), 1);
  assert.equal(await redis.xgroup(k, { type: "CREATECONSUMER", group: "g", consumer: "c" }), 0);
  assert.equal(await redis.xgroup(k, { type: "DELCONSUMER", group: "g", consumer: "c" }), 0);
  assert.equal(await redis.xgroup(k, { type: "DESTROY", group: "g" }), 1);
  await assert.rejects(redis.xreadgroup("g", "c", k, ">"), /NOGROUP/);
});

test("a group hands every entry to one consumer", async () => {
  const k = await grouped("1-0", "2-0", "3-0");
  assert.deepEqual(await redis.xreadgroup("g", "c1", k, ">", { count: 2 }), [[k, [["1-0", ["n", 1]], ["2-0", ["n", 2]]]]]);
  assert.deepEqual(await redis.xreadgroup("g", "c2", k, ">"), [[k, [["3-0", ["n", 3]]]]]);
  assert.equal(await redis.xreadgroup("g", "c1", k, ">"), null);
  assert.deepEqual(await redis.xreadgroup("g", "c1", k, "0"), [[k, [["1-0", ["n", 1]], ["2-0", ["n", 2]]]]]);
  assert.equal(await redis.xack(k, "g", ["1-0", "99-0"]), 1);
  const pending = await redis.xpending(k, "g", "-", "+", 10);
  assert.deepEqual(pending.map(([id, consumer]) => [id, consumer]), [["2-0", "c1"], ["3-0", "c2"]]);
  assert.equal((await redis.xpending(k, "g", "-", "+", 10, { consumer: "c2" })).length, 1);
  const [[, name, , consumers, , count]] = await redis.xinfo(k, { type: "GROUPS" });
  assert.deepEqual([name, consumers, count], ["g", 2, 2]);
  assert.equal((await redis.xinfo(k, { type: "CONSUMERS", group: "g" })).length, 2);
});

test("claiming what another consumer left", async () => {
  const k = await grouped("1-0", "2-0", "3-0");
  await redis.xreadgroup("g", "dead", k, ">");
  assert.deepEqual(await redis.xclaim(k, "g", "c", 0, "1-0"), [["1-0", ["n", 1]]]);
  assert.deepEqual(await redis.xclaim(k, "g", "c", 0, ["2-0"], { justId: true }), ["2-0"]);
  const [next, entries] = await redis.xautoclaim(k, "g", "c", 0, "0-0", { count: 2 });
  assert.deepEqual([next, entries.map(([id]) => id)], ["3-0", ["1-0", "2-0"]]);
  assert.deepEqual(await redis.xautoclaim(k, "g", "c", 0, "3-0", { justId: true }), ["0-0", ["3-0"], []]);
});

test("a read that would block is refused", async () => {
  const k = await stream("1-0");
  await assert.rejects(redis.xread(k, "1-0", { blockMS: 1000 }), /ERR Command is not available/);
});

test("a group that is not there has no consumers", async () => {
  assert.deepEqual(await redis.xinfo(await stream("1-0"), { type: "CONSUMERS", group: "none" }), []);
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
