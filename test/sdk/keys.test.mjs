import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { client, key } from "./support.mjs";

const redis = client();
const in2100 = 4102444800;

test("exists, del, unlink, touch", async () => {
  const [a, b, none] = [key(), key(), key()];
  await redis.mset({ [a]: 1, [b]: 1 });
  assert.equal(await redis.exists(a, b, none, a), 3);
  assert.equal(await redis.touch(a, none), 1);
  assert.equal(await redis.del(a, none), 1);
  assert.equal(await redis.unlink(b), 1);
  assert.equal(await redis.exists(a, b), 0);
});

test("type", async () => {
  const [s, h, z] = [key(), key(), key()];
  await redis.set(s, 1);
  await redis.hset(h, { a: 1 });
  await redis.zadd(z, { score: 1, member: "a" });
  assert.deepEqual([await redis.type(s), await redis.type(h), await redis.type(z)], ["string", "hash", "zset"]);
  assert.equal(await redis.type(key()), "none");
});

test("rename and copy", async () => {
  const [a, b, c] = [key(), key(), key()];
  await redis.set(a, "v");
  assert.equal(await redis.rename(a, b), "OK");
  await assert.rejects(redis.rename(a, b), /ERR no such key/);
  assert.equal(await redis.copy(b, c), "COPIED");
  assert.equal(await redis.copy(b, c), "NOT_COPIED");
  assert.equal(await redis.copy(b, c, { replace: true }), "COPIED");
  assert.equal(await redis.copy(b, b), "NOT_COPIED");
  assert.equal(await redis.renamenx(b, c), 0);
});

test("expire with its conditions", async () => {
  const k = key();
  await redis.set(k, 1);
  assert.equal(await redis.ttl(k), -1);
  assert.equal(await redis.ttl(key()), -2);
  assert.equal(await redis.expire(k, 100, "XX"), 0);
  assert.equal(await redis.expire(k, 100, "NX"), 1);
  assert.equal(await redis.expire(k, 50, "GT"), 0);
  assert.equal(await redis.expire(k, 50, "LT"), 1);
  assert.equal(await redis.expire(k, 500, "GT"), 1);
  assert.ok((await redis.ttl(k)) > 498);
  assert.equal(await redis.persist(k), 1);
  assert.equal(await redis.persist(k), 0);
});

test("expiry at a time and in milliseconds", async () => {
  const k = key();
  await redis.set(k, 1);
  assert.equal(await redis.expireat(k, in2100), 1);
  assert.ok((await redis.ttl(k)) > 1e9);
  assert.equal(await redis.pexpire(k, 100_000), 1);
  assert.ok((await redis.pttl(k)) > 90_000);
  assert.equal(await redis.pexpireat(k, in2100 * 1000), 1);
  assert.ok((await redis.pttl(k)) > 1e12);
});

test("a key that expires is gone by itself", async () => {
  const k = key();
  await redis.set(k, 1, { px: 20 });
  while ((await redis.exists(k)) === 1) {
    await new Promise((done) => setTimeout(done, 5));
  }
  assert.equal(await redis.get(k), null);
  await redis.set(k, 1);
  assert.equal(await redis.expire(k, -1), 1);
  assert.equal(await redis.exists(k), 0);
});

test("scan finds every key once the cursor is 0 again", async () => {
  const prefix = randomUUID();
  const want = Array.from({ length: 50 }, (_, i) => `${prefix}:${i}`);
  await redis.mset(Object.fromEntries(want.map((k) => [k, 1])));
  await redis.hset(`${prefix}:hash`, { a: 1 });
  const found = async (options) => {
    const keys = new Set();
    let cursor = "0";
    do {
      const [next, page] = await redis.scan(cursor, { count: 1000, ...options });
      page.forEach((k) => keys.add(k));
      cursor = next;
    } while (cursor !== "0");
    return [...keys].sort();
  };
  assert.deepEqual(await found({ match: `${prefix}:[0-9]*` }), want.sort());
  assert.deepEqual(await found({ match: `${prefix}:*`, type: "hash" }), [`${prefix}:hash`]);
  assert.deepEqual((await redis.keys(`${prefix}:1?`)).length, 10);
});

test("scan tells the type of each key", async () => {
  const prefix = randomUUID();
  await redis.set(`${prefix}:string`, 1);
  await redis.sadd(`${prefix}:set`, "a");
  const [cursor, page] = await redis.scan("0", { match: `${prefix}:*`, count: 100000, withType: true });
  assert.equal(cursor, "0");
  const types = Object.fromEntries(page.map(({ key: k, type }) => [k.slice(prefix.length + 1), type]));
  assert.deepEqual(types, { string: "string", set: "set" });
});

test("the server's own", async () => {
  await redis.set(key(), 1);
  assert.equal(await redis.ping(), "PONG");
  assert.equal(await redis.ping(["hello"]), "hello");
  assert.equal(await redis.echo("hello world"), "hello world");
  assert.ok((await redis.dbsize()) > 0);
  assert.equal(typeof (await redis.randomkey()), "string");
  const [seconds, micros] = await redis.time();
  assert.ok(seconds > 1.7e9 && micros >= 0 && micros < 1e6);
});
