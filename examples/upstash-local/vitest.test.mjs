import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { Redis } from "@upstash/redis";
import { startUpstash } from "./upstash.mjs";

let server, redis;

beforeAll(async () => {
  server = await startUpstash();
  redis = new Redis({ url: server.url, token: server.token });
});
beforeEach(() => redis.flushdb());
afterAll(() => server?.stop());

test("the best score stands", async () => {
  await redis.zadd("board", { gt: true }, { score: 800, member: "ana" });
  await redis.zadd("board", { gt: true }, { score: 600, member: "ana" });
  expect(await redis.zscore("board", "ana")).toBe(800);
});

test("a pipeline of two commands costs two", async () => {
  const usage = async () => {
    const answer = await fetch(`${server.url}/usage`, { headers: { Authorization: `Bearer ${server.token}` } });
    return (await answer.json()).commands;
  };
  const before = await usage();
  await redis.pipeline().set("a", 1).get("a").exec();
  expect((await usage()) - before).toBe(2);
});
