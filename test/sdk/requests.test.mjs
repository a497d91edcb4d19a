import assert from "node:assert/strict";
import { test } from "node:test";
import { Redis } from "@upstash/redis";
import { client, key, raw, token, url } from "./support.mjs";

test("a client from the environment", async () => {
  const redis = Redis.fromEnv();
  const k = key();
  await redis.set(k, "v");
  assert.equal(await redis.get(k), "v");
});

test("a trailing slash in the URL", async () => {
  assert.equal(await client({ url: url + "/" }).ping(), "PONG");
});

test("every answer brings a sync token and the next request carries it", async () => {
  const redis = client();
  const k = key();
  await redis.set(k, 1);
  const first = redis.readYourWritesSyncToken;
  assert.ok(first);
  await redis.set(k, 2);
  assert.notEqual(redis.readYourWritesSyncToken, first);
  assert.equal(await redis.get(k), 2);
  await redis.pipeline().set(k, 3).exec();
  const afterPipeline = redis.readYourWritesSyncToken;
  assert.ok(afterPipeline);
  await redis.multi().set(k, 4).exec();
  assert.ok(redis.readYourWritesSyncToken);
  assert.notEqual(redis.readYourWritesSyncToken, afterPipeline);
});

test("a sync token may be handed to another client", async () => {
  const [writer, reader] = [client(), client()];
  const k = key();
  await writer.set(k, "v");
  reader.readYourWritesSyncToken = writer.readYourWritesSyncToken;
  assert.equal(await reader.get(k), "v");
});

test("without reading your writes", async () => {
  const redis = client({ readYourWrites: false });
  const k = key();
  await redis.set(k, "v");
  assert.equal(redis.readYourWritesSyncToken, "");
  assert.equal(await redis.get(k), "v");
});

test("headers that the server does not know are none of its business", async () => {
  const { status, text } = await raw("/", ["PING"], {
    headers: {
      "Upstash-Telemetry-Runtime": "node@v20",
      "Upstash-Telemetry-Platform": "vercel,aws",
      "Upstash-Telemetry-Sdk": "@upstash/redis@v1",
      "Upstash-Telemetry-Retry": "2",
      "upstash-sync-token": "no token of this server",
      "Content-Type": "text/plain",
    },
  });
  assert.deepEqual([status, text], [200, '{"result":"PONG"}']);
});

test("telemetry on and off, keep-alive on and off", async () => {
  for (const options of [{ enableTelemetry: true }, { enableTelemetry: false }, { keepAlive: false }, { latencyLogging: false }]) {
    assert.equal(await client(options).ping(), "PONG", JSON.stringify(options));
  }
});

test("an aborted request rejects", async () => {
  const redis = client({ signal: () => AbortSignal.abort(), enableAutoPipelining: false });
  await assert.rejects(redis.get(key()), { name: "AbortError" });
});

test("a client that retries finds a server that stays away", async () => {
  const redis = client({ url: "http://127.0.0.1:1", retry: { retries: 2, backoff: () => 1 } });
  await assert.rejects(redis.get("k"), /fetch failed/);
});

test("many requests at once", async () => {
  const redis = client();
  const k = key();
  await Promise.all(Array.from({ length: 200 }, () => redis.incr(k)));
  assert.equal(await redis.get(k), 200);
});

test("command in the path, with arguments in body and query", async () => {
  const k = key();
  assert.equal((await raw(`/set/${k}/v?EX=100`, undefined)).text, '{"result":"OK"}');
  assert.equal((await raw(`/get/${k}`, undefined, { method: "GET" })).text, '{"result":"v"}');
  const put = await fetch(`${url}/set/${k}?_token=${token}`, { method: "PUT", body: "from the body" });
  assert.equal(put.status, 200);
  assert.equal(await client().get(k), "from the body");
});
