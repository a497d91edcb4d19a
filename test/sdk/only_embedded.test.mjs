// What the embedded engine has and the real one of these tests has not: fields of
// a hash that expire (Redis 7.4 has them, Valkey 8 has not).
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
