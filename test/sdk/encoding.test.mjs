import assert from "node:assert/strict";
import { test } from "node:test";
import { client, key, raw } from "./support.mjs";

const encodings = { base64: client(), plain: client({ responseEncoding: false }) };

const texts = {
  emoji: "🏆 1st place 👩‍👩‍👧",
  scripts: "Ω≈ç√ こんにちは العربية עברית ไทย",
  "controls and quotes": "tab\t newline\n return\r quote\" backslash\\ nul\u0000 bell\u0007 del\u007f",
  "line separators": "\u2028\u2029",
  "html": "<script>&amp;</script>",
  "looks like base64": "T0s=",
  "the word OK": "OK",
  "a slash and a percent sign": "a/b%2Fc?d=e&f#g",
  "astral and combining": "𝒳 e\u0301 \u{10FFFF}",
};

for (const [encoding, redis] of Object.entries(encodings)) {
  for (const [name, text] of Object.entries(texts)) {
    test(`${encoding}: ${name} as value, key, field and member`, async () => {
      const k = `${key()}:${text}`;
      await redis.set(k, text);
      assert.equal(await redis.get(k), text);
      await redis.hset(`${k}:h`, { [text]: text });
      assert.deepEqual(await redis.hgetall(`${k}:h`), { [text]: text });
      await redis.zadd(`${k}:z`, { score: 1, member: text });
      assert.deepEqual(await redis.zrange(`${k}:z`, 0, -1, { withScores: true }), [text, 1]);
    });
  }

  test(`${encoding}: nothing and nested nothing are null`, async () => {
    const k = key();
    await redis.set(k, "v");
    assert.equal(await redis.get(key()), null);
    assert.deepEqual(await redis.mget(k, key()), ["v", null]);
    assert.deepEqual(await redis.eval("return {1, false, {false, 'x'}}", [], []), [1, null, [null, "x"]]);
  });

  test(`${encoding}: a megabyte`, async () => {
    const k = key();
    const text = "0123456789abcdeß".repeat(64 * 1024);
    assert.equal(await redis.set(k, text), "OK");
    assert.equal(await redis.get(k), text);
  });
}

test("bytes that are no UTF-8 survive in base64", async () => {
  const k = key();
  await client().eval("return redis.call('SET', KEYS[1], string.char(255, 254, 0, 128, 65))", [k], []);
  const { text } = await raw("/", ["GET", k], { headers: { "Upstash-Encoding": "base64" } });
  assert.deepEqual([...Buffer.from(JSON.parse(text).result, "base64")], [255, 254, 0, 128, 65]);
});

test("numbers are stored as they were written", async () => {
  const redis = client();
  for (const [number, stored] of [
    [1_000_000, "1000000"],
    [2 ** 53 - 1, "9007199254740991"],
    [2 ** 53, "9007199254740992"],
    [1e20, "100000000000000000000"],
    [1e21, "1e+21"],
    [1e-7, "1e-7"],
    [0.1 + 0.2, "0.30000000000000004"],
    [-0.5, "-0.5"],
  ]) {
    const k = key();
    await redis.set(k, number);
    assert.equal(await client({ automaticDeserialization: false }).get(k), stored);
    assert.equal(Number(await redis.get(k)), number);
  }
});

test("integers beyond 2^53 stay text and lose no digit", async () => {
  const redis = client();
  const k = key();
  for (const digits of ["9007199254740993", "-9007199254740993", "9223372036854775807", "123456789012345678901234567890"]) {
    await redis.set(k, digits);
    assert.equal(await redis.get(k), digits);
  }
  await redis.set(k, "9223372036854775806");
  await redis.incr(k);
  assert.equal(await redis.get(k), "9223372036854775807");
  await assert.rejects(redis.incr(k), /ERR increment or decrement would overflow/);
});

test("an integer reply beyond 2^53 is exact on the wire", async () => {
  const k = key();
  await client().set(k, "9007199254740992");
  assert.equal((await raw("/", ["INCR", k])).text, '{"result":9007199254740993}');
});

test("scores keep 17 digits", async () => {
  const redis = client();
  const k = key();
  for (const score of [0.1, 1 / 3, 2 ** 53, 1e21, 5e-324, 1.7976931348623157e308, -123456.789]) {
    await redis.zadd(k, { score, member: "m" });
    assert.equal(Number(await redis.zscore(k, "m")), score);
  }
});

test("without automatic deserialization answers stay text", async () => {
  const redis = client({ automaticDeserialization: false });
  const k = key();
  await redis.set(k, { a: 1 });
  assert.equal(await redis.get(k), '{"a":1}');
  await redis.hset(`${k}:h`, { n: 1, t: "true" });
  const fields = await redis.hmget(`${k}:h`, "n", "t");
  assert.deepEqual(fields, ["1", "true"]);
  await redis.zadd(`${k}:z`, { score: 1.5, member: "7" });
  assert.deepEqual(await redis.zrange(`${k}:z`, 0, -1, { withScores: true }), ["7", "1.5"]);
  assert.equal(await redis.incr(`${k}:n`), 1);
});
