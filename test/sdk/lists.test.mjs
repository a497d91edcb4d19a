import assert from "node:assert/strict";
import { test } from "node:test";
import { client, key } from "./support.mjs";

const redis = client();

test("push and range", async () => {
  const k = key();
  assert.equal(await redis.rpush(k, 1, "two", { x: 3 }), 3);
  assert.equal(await redis.lpush(k, "zero"), 4);
  assert.deepEqual(await redis.lrange(k, 0, -1), ["zero", 1, "two", { x: 3 }]);
  assert.equal(await redis.llen(k), 4);
  assert.deepEqual(await redis.lindex(k, -1), { x: 3 });
  assert.equal(await redis.lindex(k, 9), null);
  assert.equal(await redis.lpushx(key(), 1), 0);
  assert.equal(await redis.rpushx(k, 1), 5);
});

test("pop", async () => {
  const k = key();
  await redis.rpush(k, 1, 2, 3, 4, 5);
  assert.equal(await redis.lpop(k), 1);
  assert.deepEqual(await redis.lpop(k, 2), [2, 3]);
  assert.equal(await redis.rpop(k), 5);
  assert.equal(await redis.lpop(key()), null);
  assert.equal(await redis.lpop(key(), 2), null);
});

test("positions", async () => {
  const k = key();
  await redis.rpush(k, "a", "b", "c", "b");
  assert.equal(await redis.lpos(k, "b"), 1);
  assert.equal(await redis.lpos(k, "b", { rank: -1 }), 3);
  assert.deepEqual(await redis.lpos(k, "b", { count: 0 }), [1, 3]);
  assert.equal(await redis.lpos(k, "none"), null);
});

test("changes in place", async () => {
  const k = key();
  await redis.rpush(k, "a", "c", "a");
  assert.equal(await redis.linsert(k, "before", "c", "b"), 4);
  assert.equal(await redis.linsert(k, "after", "none", "b"), -1);
  assert.equal(await redis.lset(k, 0, "A"), "OK");
  await assert.rejects(redis.lset(k, 9, "A"), /ERR index out of range/);
  assert.equal(await redis.lrem(k, 1, "a"), 1);
  assert.equal(await redis.ltrim(k, 0, 1), "OK");
  assert.deepEqual(await redis.lrange(k, 0, -1), ["A", "b"]);
});

test("lmove and lmpop", async () => {
  const [a, b] = [key(), key()];
  await redis.rpush(a, 1, 2, 3);
  assert.equal(await redis.lmove(a, b, "left", "right"), 1);
  assert.equal(await redis.lmove(key(), b, "left", "right"), null);
  assert.deepEqual(await redis.lmpop(2, [key(), a], "RIGHT", 5), [a, [3, 2]]);
  assert.equal(await redis.lmpop(1, [key()], "LEFT"), null);
});
