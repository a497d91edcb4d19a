import assert from "node:assert/strict";
import { test } from "node:test";
import { client, key } from "./support.mjs";

const redis = client();
const sorted = (members) => members.map((m) => JSON.stringify(m)).sort();

test("add, members, remove", async () => {
  const k = key();
  assert.equal(await redis.sadd(k, "a", 1, { x: 1 }), 3);
  assert.equal(await redis.sadd(k, "a", "b"), 1);
  assert.deepEqual(sorted(await redis.smembers(k)), sorted(["a", 1, { x: 1 }, "b"]));
  assert.equal(await redis.sismember(k, "a"), 1);
  assert.equal(await redis.sismember(k, { x: 1 }), 1);
  assert.deepEqual(await redis.smismember(k, ["a", "none", 1]), [1, 0, 1]);
  assert.equal(await redis.srem(k, "a", "none"), 1);
  assert.equal(await redis.scard(k), 3);
});

test("several sets", async () => {
  const [a, b, dest] = [key(), key(), key()];
  await redis.sadd(a, "x", "y", "z");
  await redis.sadd(b, "y", "z", "w");
  assert.deepEqual(sorted(await redis.sinter(a, b)), sorted(["y", "z"]));
  assert.deepEqual(sorted(await redis.sunion(a, b)), sorted(["x", "y", "z", "w"]));
  assert.deepEqual(await redis.sdiff(a, b), ["x"]);
  assert.equal(await redis.sinterstore(dest, a, b), 2);
  assert.equal(await redis.sunionstore(dest, a, b), 4);
  assert.equal(await redis.sdiffstore(dest, dest, b), 1);
  assert.equal(await redis.sintercard([a, b], { limit: 1 }), 1);
  assert.equal(await redis.smove(a, dest, "y"), 1);
  assert.equal(await redis.smove(a, dest, "none"), 0);
});

test("random members", async () => {
  const k = key();
  await redis.sadd(k, "a", "b", "c");
  assert.ok(["a", "b", "c"].includes(await redis.srandmember(k)));
  assert.equal((await redis.srandmember(k, 2)).length, 2);
  const popped = [await redis.spop(k), ...(await redis.spop(k, 5))];
  assert.deepEqual(popped.sort(), ["a", "b", "c"]);
  assert.equal(await redis.spop(k), null);
});

test("sscan", async () => {
  const k = key();
  await redis.sadd(k, "a1", "a2", "b");
  const [cursor, members] = await redis.sscan(k, 0, { match: "a*", count: 100 });
  assert.equal(cursor, "0");
  assert.deepEqual(members.sort(), ["a1", "a2"]);
});
