// What few clients use, of several kinds of values.
import assert from "node:assert/strict";
import { test } from "node:test";
import { client, key } from "./support.mjs";

const redis = client();
const at = (score, member) => ({ score, member });

test("zdiffstore", async () => {
  const [a, b, dest] = [key(), key(), key()];
  await redis.zadd(a, at(1, "x"), at(2, "y"));
  await redis.zadd(b, at(1, "y"));
  assert.equal(await redis.zdiffstore(dest, 2, a, b), 1);
  assert.deepEqual(await redis.zrange(dest, 0, -1, { withScores: true }), ["x", 1]);
});

test("a script sees numbers as Redis' Lua does", async () => {
  assert.equal(await redis.eval("return tostring(1 / 3)", [], []), 0.33333333333333);
  assert.equal(await redis.eval("return tostring(tonumber('1e15'))", [], []), "1e+15");
});
