import assert from "node:assert/strict";
import { test } from "node:test";
import { errors } from "@upstash/redis";
import { client, key, raw, readOnlyToken, token, url } from "./support.mjs";

const redis = client();
const upstashError = (pattern) => (error) => error instanceof errors.UpstashError && pattern.test(error.message);

test("the wrong type", async () => {
  const k = key();
  await redis.set(k, "text");
  await assert.rejects(redis.lpush(k, 1), upstashError(/WRONGTYPE Operation against a key holding the wrong kind of value/));
});

test("an unknown command and a wrong number of arguments", async () => {
  await assert.rejects(redis.exec(["NOSUCH", "a"]), upstashError(/ERR unknown command/i));
  await assert.rejects(redis.exec(["GET"]), upstashError(/ERR wrong number of arguments for 'get' command/i));
  await assert.rejects(redis.exec(["SET", key(), "v", "WHAT"]), upstashError(/ERR syntax error/));
});

test("commands that a stateless request cannot carry", async () => {
  for (const command of [["BLPOP", key(), "1"], ["WATCH", key()], ["SUBSCRIBE", "c"], ["MULTI"]]) {
    await assert.rejects(redis.exec(command), upstashError(/ERR/), command[0]);
  }
});

test("a token that is wrong, or none", async () => {
  for (const bad of [token.slice(1), token + "x", "wrong"]) {
    await assert.rejects(client({ token: bad }).get(key()), upstashError(/WRONGPASS invalid or missing auth token/));
    await assert.rejects(client({ token: bad }).pipeline().get(key()).exec(), upstashError(/WRONGPASS/));
    await assert.rejects(client({ token: bad }).multi().get(key()).exec(), upstashError(/WRONGPASS/));
  }
  for (const path of ["/", "/get/k", "/pipeline", "/multi-exec", "/nosuch"]) {
    const { status } = await fetch(url + path, { method: "POST", body: '["PING"]' });
    assert.equal(status, 401, path);
  }
});

test("a read-only token reads and does not write", async () => {
  const reader = client({ token: readOnlyToken });
  const k = key();
  await redis.set(k, "v");
  assert.equal(await reader.get(k), "v");
  await assert.rejects(reader.set(k, "w"), upstashError(/NOPERM/));
  await assert.rejects(reader.del(k), upstashError(/NOPERM/));
  await assert.rejects(reader.flushall(), upstashError(/NOPERM/));
  await assert.rejects(reader.eval("return 1", [], []), upstashError(/NOPERM/));
  const mixed = await reader.pipeline().get(k).set(k, "w").get(k).exec({ keepErrors: true });
  assert.deepEqual([mixed[0].result, mixed[2].result], ["v", "v"]);
  assert.match(mixed[1].error, /NOPERM/);
  await assert.rejects(reader.multi().get(k).set(k, "w").exec(), upstashError(/NOPERM/));
  assert.equal(await redis.get(k), "v");
});

test("a body that is no command", async () => {
  for (const [path, body] of [["/", {}], ["/", []], ["/", [["GET"]]], ["/pipeline", ["GET", "k"]], ["/pipeline", {}], ["/multi-exec", "GET"]]) {
    const { status, text } = await raw(path, body);
    assert.equal(status, 400, `${path} ${JSON.stringify(body)}`);
    assert.match(JSON.parse(text).error, /^ERR/);
  }
});

test("a method that is not one of the protocol", async () => {
  const { status } = await raw("/", ["PING"], { method: "DELETE" });
  assert.equal(status, 405);
});
