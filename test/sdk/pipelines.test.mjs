import assert from "node:assert/strict";
import { test } from "node:test";
import { client, key, raw } from "./support.mjs";

const redis = client();

for (const kind of ["pipeline", "multi"]) {
  test(`${kind} answers in order`, async () => {
    const [k, h, z] = [key(), key(), key()];
    const p = redis[kind]();
    p.set(k, 1).incr(k).get(k);
    p.hset(h, { a: { b: 1 } }).hgetall(h);
    p.zadd(z, { score: 2.5, member: "m" }).zrange(z, 0, -1, { withScores: true });
    p.get(key());
    assert.equal(p.length(), 8);
    assert.deepEqual(await p.exec(), ["OK", 2, 2, 1, { a: { b: 1 } }, 1, ["m", 2.5], null]);
  });

  test(`${kind} runs the commands after one that fails`, async () => {
    const k = key();
    const p = redis[kind]();
    p.set(k, "text").incr(k).get(k);
    await assert.rejects(p.exec(), /Command 2 \[ incr \] failed: ERR value is not an integer/);
    assert.equal(await redis.get(k), "text");
  });

  test(`${kind} can keep errors`, async () => {
    const k = key();
    const p = redis[kind]();
    p.set(k, "text").lpush(k, 1).get(k);
    const [set, push, get] = await p.exec({ keepErrors: true });
    assert.equal(set.result, "OK");
    assert.match(push.error, /^WRONGTYPE/);
    assert.equal(get.result, "text");
  });

  test(`${kind} takes a thousand commands`, async () => {
    const k = key();
    const p = redis[kind]();
    for (let i = 0; i < 1000; i++) {
      p.rpush(k, i);
    }
    assert.deepEqual(await p.exec(), Array.from({ length: 1000 }, (_, i) => i + 1));
  });
}

test("a transaction with a command that nobody knows changes nothing", async () => {
  const k = key();
  const { status, text } = await raw("/multi-exec", [["SET", k, "v"], ["NOSUCH", "a"]]);
  assert.equal(status, 400);
  assert.match(JSON.parse(text).error, /EXECABORT|unknown command/);
  assert.equal(await redis.exists(k), 0);
});

test("transactions do not mix", async () => {
  const k = key();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => redis.multi().set(k, `v${i}`).get(k).incr(`${k}:n`).exec()),
  );
  answers.forEach(([, got], i) => assert.equal(got, `v${i}`));
  assert.equal(await redis.get(`${k}:n`), 20);
});

test("json set of objects in a pipeline keeps every type", async () => {
  const k = key();
  const values = [0, -1, "1", "", true, null, { deep: [{ er: "ü" }] }];
  const p = redis.pipeline();
  values.forEach((value, i) => p.set(`${k}:${i}`, value).get(`${k}:${i}`));
  const answers = await p.exec();
  assert.deepEqual(answers.filter((_, i) => i % 2 === 1), [0, -1, 1, "", true, null, { deep: [{ er: "ü" }] }]);
});
