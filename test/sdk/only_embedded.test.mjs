// What the embedded engine has and the real one of these tests has not: fields of
// a hash that expire (Redis 7.4 has them, Valkey 8 has not), more operations on
// bits, and what Upstash answers in a way of its own.
import assert from "node:assert/strict";
import { test } from "node:test";
import { client, key } from "./support.mjs";

const redis = client();

test("fields expire on their own", async () => {
  const k = key();
  await redis.hset(k, { a: 1, b: 2 });
  assert.deepEqual(await redis.hexpire(k, ["a", "none"], 100), [1, -2]);
  const [a, b, none] = await redis.httl(k, ["a", "b", "none"]);
  assert.ok(a > 90 && a <= 100);
  assert.deepEqual([b, none], [-1, -2]);
  assert.deepEqual(await redis.hexpire(k, "a", 200, "NX"), [0]);
  assert.deepEqual(await redis.hexpire(k, "a", 200, "GT"), [1]);
  assert.deepEqual(await redis.hpersist(k, ["a", "b", "none"]), [1, -1, -2]);
});

test("a field's expiry in whole seconds is never later than asked for", async () => {
  const k = key();
  await redis.hset(k, { a: 1 });
  await redis.hpexpireat(k, "a", 4102444800999);
  assert.deepEqual(await redis.hexpiretime(k, "a"), [4102444800]);
});

test("a function that only reads may be called as read-only, declared or not", async () => {
  const library = `ro_${key().replace(/\W/g, "_")}`;
  const code = `#!lua name=${library}
    redis.register_function('${library}_get', function(keys) return redis.call('GET', keys[1]) end)
    redis.register_function('${library}_set', function(keys, args) return redis.call('SET', keys[1], args[1]) end)`;
  await redis.functions.load({ code });
  const k = key();
  await redis.functions.call(`${library}_set`, [k], ["v"]);
  assert.equal(await redis.functions.callRo(`${library}_get`, [k]), "v");
  await assert.rejects(redis.functions.callRo(`${library}_set`, [k], ["w"]), /commands are not allowed from read-only/);
  await redis.functions.delete(library);
});

test("reads without acknowledgement make no consumer", async () => {
  const k = key();
  await redis.xadd(k, "1-0", { n: 1 });
  await redis.xgroup(k, { type: "CREATE", group: "g", id: "0" });
  await redis.xreadgroup("g", "c", k, ">", { NOACK: true });
  assert.deepEqual(await redis.xinfo(k, { type: "CONSUMERS", group: "g" }), []);
});

test("xackdel deletes what was acknowledged before", async () => {
  const k = key();
  await redis.xadd(k, "1-0", { n: 1 });
  await redis.xgroup(k, { type: "CREATE", group: "g", id: "0" });
  await redis.xreadgroup("g", "c", k, ">");
  await redis.xack(k, "g", "1-0");
  assert.equal((await redis.xackdel(k, "g", "KEEPREF", "1-0")).length, 1);
  assert.equal(await redis.xlen(k), 0);
});

test("bits that the first has and others have not, and the like", async () => {
  const [x, y, dest] = [key(), key(), key()];
  await redis.set(x, "\x0c");
  await redis.set(y, "\x0a");
  for (const [op, want] of [["diff", "\x04"], ["diff1", "\x02"], ["andor", "\x08"], ["one", "\x06"]]) {
    assert.equal(await redis.bitop(op, dest, x, y), 1);
    assert.equal(await redis.get(dest), want, op);
  }
});
