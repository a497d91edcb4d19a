import assert from "node:assert/strict";
import { test } from "node:test";
import { client, key } from "./support.mjs";

const redis = client();
const at = (score, member) => ({ score, member });

async function board(...pairs) {
  const k = key("board");
  await redis.zadd(k, ...pairs.map(([score, member]) => at(score, member)));
  return k;
}

test("zadd and zscore", async () => {
  const k = key();
  assert.equal(await redis.zadd(k, at(1, "a"), at(2.5, "b"), at(-3, { x: 1 })), 3);
  assert.equal(await redis.zscore(k, "b"), 2.5);
  assert.equal(await redis.zscore(k, { x: 1 }), -3);
  assert.equal(await redis.zscore(k, "none"), null);
  assert.deepEqual(await redis.zmscore(k, ["a", "none", "b"]), [1, null, 2.5]);
  assert.equal(await redis.zcard(k), 3);
});

test("zadd nx, xx, ch", async () => {
  const k = await board([5, "a"]);
  assert.equal(await redis.zadd(k, { nx: true }, at(9, "a"), at(9, "b")), 1);
  assert.equal(await redis.zscore(k, "a"), 5);
  assert.equal(await redis.zadd(k, { xx: true }, at(6, "a"), at(6, "c")), 0);
  assert.equal(await redis.zscore(k, "c"), null);
  assert.equal(await redis.zadd(k, { ch: true }, at(7, "a"), at(9, "b"), at(1, "d")), 2);
});

test("zadd gt and lt keep the better score", async () => {
  const k = await board([5, "a"]);
  assert.equal(await redis.zadd(k, { gt: true, ch: true }, at(4, "a")), 0);
  assert.equal(await redis.zadd(k, { gt: true, ch: true }, at(8, "a")), 1);
  assert.equal(await redis.zadd(k, { lt: true, ch: true }, at(9, "a")), 0);
  assert.equal(await redis.zadd(k, { lt: true, ch: true }, at(3, "a")), 1);
  assert.equal(await redis.zadd(k, { gt: true }, at(3, "new")), 1);
  assert.equal(await redis.zadd(k, { xx: true, gt: true, ch: true }, at(30, "a"), at(30, "none")), 1);
});

test("zadd incr and zincrby", async () => {
  const k = await board([5, "a"]);
  assert.equal(await redis.zadd(k, { incr: true }, at(1.5, "a")), 6.5);
  assert.equal(await redis.zadd(k, { nx: true, incr: true }, at(1, "a")), null);
  assert.equal(await redis.zadd(k, { xx: true, incr: true }, at(1, "none")), null);
  assert.equal(await redis.zadd(k, { gt: true, incr: true }, at(-1, "a")), null);
  assert.equal(await redis.zincrby(k, -0.5, "a"), 6);
  assert.equal(await redis.zincrby(k, 2, "new"), 2);
});

test("options that exclude each other, and scores that are none, are refused", async () => {
  const k = key();
  await assert.rejects(redis.zadd(k, { nx: true, gt: true }, at(1, "a")), /ERR GT, LT, and\/or NX options/);
  await assert.rejects(redis.zadd(k, { incr: true }, at(1, "a"), at(2, "b")), /ERR INCR option supports a single/);
  await assert.rejects(redis.zadd(k, at("high", "a")), /ERR value is not a valid float/);
  await assert.rejects(redis.zadd(k, at("nan", "a")), /ERR value is not a valid float/);
  assert.equal(await redis.exists(k), 0);
});

test("ranks", async () => {
  const k = await board([1, "a"], [2, "b"], [2, "c"], [4, "d"]);
  assert.equal(await redis.zrank(k, "a"), 0);
  assert.equal(await redis.zrevrank(k, "a"), 3);
  assert.equal(await redis.zrevrank(k, "b"), 2);
  assert.equal(await redis.zrank(k, "none"), null);
  assert.deepEqual(await redis.exec(["ZREVRANK", k, "c", "WITHSCORE"]), [1, 2]);
  assert.equal(await redis.exec(["ZREVRANK", k, "none", "WITHSCORE"]), null);
});

test("zrange by rank", async () => {
  const k = await board([1, "a"], [2, "b"], [3.5, "c"]);
  assert.deepEqual(await redis.zrange(k, 0, -1), ["a", "b", "c"]);
  assert.deepEqual(await redis.zrange(k, 0, 1, { rev: true }), ["c", "b"]);
  assert.deepEqual(await redis.zrange(k, 0, 1, { rev: true, withScores: true }), ["c", 3.5, "b", 2]);
  assert.deepEqual(await redis.zrange(key(), 0, -1), []);
});

test("zrange by score and by name", async () => {
  const k = await board([1, "a"], [2, "b"], [3, "c"], [4, "d"]);
  assert.deepEqual(await redis.zrange(k, 2, "(4", { byScore: true }), ["b", "c"]);
  assert.deepEqual(await redis.zrange(k, "+inf", "-inf", { byScore: true, rev: true, offset: 1, count: 2, withScores: true }), ["c", 3, "b", 2]);
  const names = await board([0, "a"], [0, "b"], [0, "c"]);
  assert.deepEqual(await redis.zrange(names, "[b", "+", { byLex: true }), ["b", "c"]);
  assert.deepEqual(await redis.zrange(names, "(c", "-", { byLex: true, rev: true, offset: 1, count: 1 }), ["a"]);
  assert.equal(await redis.zlexcount(names, "[a", "(c"), 2);
  assert.equal(await redis.zcount(k, "(1", "+inf"), 3);
});

test("removing", async () => {
  const k = await board([1, "a"], [2, "b"], [3, "c"], [4, "d"], [5, "e"], [6, "f"]);
  assert.equal(await redis.zrem(k, "a", "none"), 1);
  assert.equal(await redis.zremrangebyrank(k, 0, 0), 1);
  assert.equal(await redis.zremrangebyscore(k, "-inf", 3), 1);
  assert.deepEqual(await redis.zpopmin(k), ["d", 4]);
  assert.deepEqual(await redis.zpopmax(k, 5), ["f", 6, "e", 5]);
  assert.deepEqual(await redis.zpopmin(k), []);
  const names = await board([0, "a"], [0, "b"]);
  assert.equal(await redis.zremrangebylex(names, "[a", "(b"), 1);
});

test("unions and intersections", async () => {
  const a = await board([1, "x"], [2, "y"]);
  const b = await board([10, "y"], [20, "z"]);
  const dest = key();
  assert.equal(await redis.zunionstore(dest, 2, [a, b], { weights: [2, 1], aggregate: "sum" }), 3);
  assert.deepEqual(await redis.zrange(dest, 0, -1, { withScores: true }), ["x", 2, "y", 14, "z", 20]);
  assert.equal(await redis.zunionstore(dest, 2, [a, b], { aggregate: "max" }), 3);
  assert.equal(await redis.zscore(dest, "y"), 10);
  assert.equal(await redis.zinterstore(dest, 2, [a, b], { aggregate: "min" }), 1);
  assert.deepEqual(await redis.zrange(dest, 0, -1, { withScores: true }), ["y", 2]);
  assert.deepEqual(await redis.zunion(2, [a, b], { withScores: true }), ["x", 1, "y", 12, "z", 20]);
});

test("zscan", async () => {
  const k = await board([1, "a1"], [2, "a2"], [3, "b"]);
  const [cursor, pairs] = await redis.zscan(k, 0, { match: "a*", count: 100 });
  assert.equal(cursor, "0");
  assert.deepEqual(pairs.map(String).sort(), ["1", "2", "a1", "a2"]);
});

test("infinite scores, and sums that would be none", async () => {
  const k = await board(["+inf", "top"], ["-inf", "bottom"], [0, "middle"]);
  assert.deepEqual(await redis.zrange(k, 0, -1, { withScores: true }), ["bottom", "-inf", "middle", 0, "top", "inf"]);
  await assert.rejects(redis.zincrby(k, "-inf", "top"), /ERR resulting score is not a number \(NaN\)/);
});
