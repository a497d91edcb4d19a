import assert from "node:assert/strict";
import { test } from "node:test";
import { client, key } from "./support.mjs";

const redis = client();
const in2100 = 4102444800;

test("set and get", async () => {
  const k = key();
  assert.equal(await redis.set(k, "value"), "OK");
  assert.equal(await redis.get(k), "value");
  assert.equal(await redis.get(key()), null);
});

test("values that are JSON come back as what they were", async () => {
  for (const value of [{ a: [1, { b: null }] }, [1, "two", false], 12, -1.5, true, "plain text", "", null]) {
    const k = key();
    await redis.set(k, value);
    assert.deepEqual(await redis.get(k), value);
  }
});

test("set nx and xx", async () => {
  const k = key();
  assert.equal(await redis.set(k, "a", { xx: true }), null);
  assert.equal(await redis.set(k, "a", { nx: true }), "OK");
  assert.equal(await redis.set(k, "b", { nx: true }), null);
  assert.equal(await redis.set(k, "c", { xx: true }), "OK");
  assert.equal(await redis.get(k), "c");
});

test("set get answers the value before", async () => {
  const k = key();
  assert.equal(await redis.set(k, "a", { get: true }), null);
  assert.equal(await redis.set(k, "b", { get: true }), "a");
  assert.equal(await redis.set(k, "c", { nx: true, get: true }), "b");
  assert.equal(await redis.get(k), "b");
  assert.equal(await redis.set(k, "c", { xx: true, get: true, ex: 10 }), "b");
  assert.equal(await redis.get(k), "c");
});

test("set with every expiry", async () => {
  const k = key();
  for (const [options, low, high] of [
    [{ ex: 100 }, 99, 100],
    [{ px: 100_000 }, 99, 100],
    [{ exat: in2100 }, 1e6, in2100],
    [{ pxat: in2100 * 1000 }, 1e6, in2100],
  ]) {
    assert.equal(await redis.set(k, "v", options), "OK");
    const ttl = await redis.ttl(k);
    assert.ok(low <= ttl && ttl <= high, `${JSON.stringify(options)}: ttl ${ttl}`);
  }
  await redis.set(k, "w", { keepTtl: true });
  assert.ok((await redis.ttl(k)) > 1e6);
  await redis.set(k, "w");
  assert.equal(await redis.ttl(k), -1);
});

test("an expiry must be positive", async () => {
  await assert.rejects(redis.set(key(), "v", { ex: -1 }), /ERR invalid expire time in 'set' command/);
});

test("setex, psetex, setnx", async () => {
  const k = key();
  assert.equal(await redis.setex(k, 100, { a: 1 }), "OK");
  assert.ok((await redis.ttl(k)) > 98);
  assert.equal(await redis.psetex(k, 200_000, "v"), "OK");
  assert.ok((await redis.pttl(k)) > 190_000);
  assert.equal(await redis.setnx(k, "w"), 0);
  assert.equal(await redis.setnx(key(), "w"), 1);
});

test("getdel, getset", async () => {
  const k = key();
  assert.equal(await redis.getset(k, { a: 1 }), null);
  assert.deepEqual(await redis.getset(k, 5), { a: 1 });
  assert.equal(await redis.getdel(k), 5);
  assert.equal(await redis.getdel(k), null);
});

test("getex changes the expiry", async () => {
  const k = key();
  await redis.set(k, "v");
  assert.equal(await redis.getex(k, { ex: 100 }), "v");
  assert.ok((await redis.ttl(k)) > 98);
  assert.equal(await redis.getex(k, { pxat: in2100 * 1000 }), "v");
  assert.ok((await redis.ttl(k)) > 1e6);
  assert.equal(await redis.getex(k, { persist: true }), "v");
  assert.equal(await redis.ttl(k), -1);
});

test("append, strlen and ranges", async () => {
  const k = key();
  assert.equal(await redis.append(k, "hello"), 5);
  assert.equal(await redis.append(k, " world"), 11);
  assert.equal(await redis.strlen(k), 11);
  assert.equal(await redis.getrange(k, 4, -5), "o w");
  assert.equal(await redis.setrange(k, 6, "Redis"), 11);
  assert.equal(await redis.get(k), "hello Redis");
});

test("counting", async () => {
  const k = key();
  assert.equal(await redis.incr(k), 1);
  assert.equal(await redis.incrby(k, 41), 42);
  assert.equal(await redis.decr(k), 41);
  assert.equal(await redis.decrby(k, 50), -9);
  assert.equal(await redis.incrbyfloat(k, 1.25), -7.75);
  await assert.rejects(redis.incr(k), /ERR value is not an integer or out of range/);
});

test("mset, mget, msetnx", async () => {
  const [a, b, c, none] = [key(), key(), key(), key()];
  assert.equal(await redis.mset({ [a]: 1, [b]: { x: "y" } }), "OK");
  assert.deepEqual(await redis.mget(a, none, b), [1, null, { x: "y" }]);
  assert.deepEqual(await redis.mget([b, a]), [{ x: "y" }, 1]);
  assert.equal(await redis.msetnx({ [a]: 2, [c]: 2 }), 0);
  assert.equal(await redis.exists(c), 0);
  assert.equal(await redis.msetnx({ [c]: 3 }), 1);
});
