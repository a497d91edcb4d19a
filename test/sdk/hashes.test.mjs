import assert from "node:assert/strict";
import { test } from "node:test";
import { client, key } from "./support.mjs";

const redis = client();

test("hset, hget, hgetall", async () => {
  const k = key();
  assert.equal(await redis.hset(k, { a: 1, b: "two", c: { x: [1, 2] } }), 3);
  assert.equal(await redis.hset(k, { a: 2, d: null }), 1);
  assert.deepEqual(await redis.hget(k, "c"), { x: [1, 2] });
  assert.equal(await redis.hget(k, "none"), null);
  assert.deepEqual(await redis.hgetall(k), { a: 2, b: "two", c: { x: [1, 2] }, d: null });
  assert.equal(await redis.hgetall(key()), null);
});

test("a value too large for a JavaScript number stays text", async () => {
  const k = key();
  await redis.hset(k, { id: "9007199254740993", small: "42" });
  assert.deepEqual(await redis.hgetall(k), { id: "9007199254740993", small: 42 });
});

test("hmset and hmget", async () => {
  const k = key();
  assert.equal(await redis.hmset(k, { a: 1, b: { x: 1 } }), "OK");
  assert.deepEqual(await redis.hmget(k, "a", "none", "b"), { a: 1, none: null, b: { x: 1 } });
  assert.equal(await redis.hmget(key(), "a", "b"), null);
});

test("fields", async () => {
  const k = key();
  await redis.hset(k, { a: 1, b: "two" });
  assert.deepEqual((await redis.hkeys(k)).sort(), ["a", "b"]);
  assert.deepEqual((await redis.hvals(k)).map(String).sort(), ["1", "two"]);
  assert.equal(await redis.hlen(k), 2);
  assert.equal(await redis.hexists(k, "a"), 1);
  assert.equal(await redis.hexists(k, "none"), 0);
  assert.equal(await redis.hstrlen(k, "b"), 3);
  assert.equal(await redis.hsetnx(k, "a", 5), 0);
  assert.equal(await redis.hsetnx(k, "c", 5), 1);
  assert.equal(await redis.hdel(k, "a", "none", "c"), 2);
});

test("hincrby and hincrbyfloat", async () => {
  const k = key();
  assert.equal(await redis.hincrby(k, "n", 5), 5);
  assert.equal(await redis.hincrby(k, "n", -7), -2);
  assert.equal(await redis.hincrbyfloat(k, "n", 0.5), -1.5);
  await redis.hset(k, { text: "abc" });
  await assert.rejects(redis.hincrby(k, "text", 1), /is not an integer/);
});

test("hrandfield", async () => {
  const k = key();
  await redis.hset(k, { a: 1, b: 2, c: 3 });
  assert.ok(["a", "b", "c"].includes(await redis.hrandfield(k)));
  assert.equal(new Set(await redis.hrandfield(k, 2)).size, 2);
  assert.deepEqual(await redis.hrandfield(k, 10, true), { a: 1, b: 2, c: 3 });
  assert.equal((await redis.hrandfield(k, -10)).length, 10);
  assert.equal(await redis.hrandfield(key()), null);
});

test("hscan", async () => {
  const k = key();
  await redis.hset(k, { a1: 1, a2: 2, b: 3 });
  const [cursor, pairs] = await redis.hscan(k, 0, { match: "a*", count: 100 });
  assert.equal(cursor, "0");
  assert.deepEqual(pairs.map(String).sort(), ["1", "2", "a1", "a2"]);
});
