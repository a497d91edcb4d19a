import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { Redis } from "@upstash/redis";
import { startUpstash } from "./upstash.mjs";

let server, redis;

before(async () => {
  server = await startUpstash();
  redis = new Redis({ url: server.url, token: server.token });
});
beforeEach(() => redis.flushdb());
after(() => server?.stop());

test("the best score stands", async () => {
  await redis.zadd("board", { gt: true }, { score: 800, member: "ana" });
  await redis.zadd("board", { gt: true }, { score: 600, member: "ana" });
  assert.equal(await redis.zscore("board", "ana"), 800);
});

test("every test begins empty", async () => {
  assert.equal(await redis.dbsize(), 0);
});
