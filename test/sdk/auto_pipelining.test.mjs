import assert from "node:assert/strict";
import { test } from "node:test";
import { client, key } from "./support.mjs";

const automatic = () => client({ enableAutoPipelining: true });

test("commands of one turn share a request, writes apart from reads", async () => {
  const redis = automatic();
  const [a, b] = [key(), key()];
  await Promise.all([redis.set(a, 1), redis.set(b, { x: 1 }), redis.incr(a)]);
  assert.equal(redis.pipelineCounter, 1);
  assert.deepEqual(await Promise.all([redis.get(a), redis.get(b), redis.hgetall(key())]), [2, { x: 1 }, null]);
  assert.equal(redis.pipelineCounter, 2);
});

test("one failure leaves the others alone", async () => {
  const redis = automatic();
  const k = key();
  const [set, push, get] = await Promise.allSettled([redis.set(k, "text"), redis.lpush(k, 1), redis.append(k, "!")]);
  assert.equal(set.value, "OK");
  assert.match(push.reason.message, /Command failed: WRONGTYPE/);
  assert.equal(get.value, 5);
});

test("more commands than one automatic pipeline holds", async () => {
  const redis = automatic();
  const k = key();
  const counts = await Promise.all(Array.from({ length: 1500 }, () => redis.incr(k)));
  assert.deepEqual(counts.sort((x, y) => x - y), Array.from({ length: 1500 }, (_, i) => i + 1));
});

test("explicit pipelines and scripts beside it", async () => {
  const redis = automatic();
  const k = key();
  const [p, s, x] = await Promise.all([
    redis.pipeline().set(k, 1).get(k).exec(),
    redis.eval("return ARGV[1]", [], ["a"]),
    redis.multi().incr(`${k}:n`).exec(),
  ]);
  assert.deepEqual([p, s, x], [["OK", 1], "a", [1]]);
});
