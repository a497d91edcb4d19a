import assert from "node:assert/strict";
import { test } from "node:test";
import { client, key, readOnlyToken, token, url } from "./support.mjs";

const redis = client();

// heard collects what a subscriber's event brings; next waits for the n-th.
function heard(subscriber, event) {
  const seen = [];
  const waiting = [];
  subscriber.on(event, (data) => {
    seen.push(data);
    waiting.splice(0).forEach((wake) => wake());
  });
  return {
    seen,
    async until(count) {
      while (seen.length < count) {
        await new Promise((wake) => waiting.push(wake));
      }
      return seen;
    },
  };
}

// listen subscribes, waits until the server says so and ends with the test.
async function listen(t, kind, names, from = redis) {
  const subscriber = from[kind](names);
  t.after(() => subscriber.unsubscribe());
  const failures = heard(subscriber, "error");
  const counts = await Promise.race([heard(subscriber, kind).until(names.length), failures.until(1).then(([error]) => Promise.reject(error))]);
  return { subscriber, counts };
}

test("a subscriber hears what is published", async (t) => {
  const channel = key("channel");
  const { subscriber, counts } = await listen(t, "subscribe", [channel]);
  assert.deepEqual(counts, [1]);
  const all = heard(subscriber, "message");
  const one = heard(subscriber, `message:${channel}`);
  assert.equal(await redis.publish(channel, { user: "u", n: 1 }), 1);
  assert.deepEqual(await all.until(1), [{ channel, message: { user: "u", n: 1 } }]);
  assert.deepEqual(await one.until(1), all.seen);
});

test("messages come in order and whole", async (t) => {
  const channel = key("channel");
  const { subscriber } = await listen(t, "subscribe", [channel]);
  const messages = heard(subscriber, "message");
  const sent = ["plain text", "with, commas, and: colons", "🏆 ünïcödé", 42, [1, { a: null }], "x".repeat(100_000), true];
  for (const message of sent) {
    await redis.publish(channel, message);
  }
  assert.deepEqual((await messages.until(sent.length)).map((m) => m.message), sent);
});

test("several subscribers, several channels", async (t) => {
  const [a, b] = [key("a"), key("b")];
  const first = await listen(t, "subscribe", [a, b]);
  const second = await listen(t, "subscribe", [a]);
  const [firstHeard, secondHeard] = [heard(first.subscriber, "message"), heard(second.subscriber, "message")];
  assert.equal(await redis.publish(a, "to both"), 2);
  await firstHeard.until(1);
  assert.equal(await redis.publish(b, "to one"), 1);
  assert.deepEqual((await firstHeard.until(2)).map((m) => m.message), ["to both", "to one"]);
  assert.deepEqual((await secondHeard.until(1)).map((m) => m.message), ["to both"]);
});

test("nobody hears after unsubscribing", async (t) => {
  const [a, b] = [key("a"), key("b")];
  const { subscriber } = await listen(t, "subscribe", [a, b]);
  const messages = heard(subscriber, "message");
  await subscriber.unsubscribe([a]);
  assert.deepEqual(subscriber.getSubscribedChannels(), [b]);
  while ((await redis.publish(a, "lost")) !== 0) {
    await new Promise((done) => setTimeout(done, 5)); // until the server has noticed
  }
  await redis.publish(b, "kept");
  const arrived = await messages.until(1);
  assert.deepEqual(arrived.filter((m) => m.channel === b), [{ channel: b, message: "kept" }]);
});

test("patterns", async (t) => {
  const prefix = key("news");
  const { subscriber, counts } = await listen(t, "psubscribe", [`${prefix}:*`]);
  assert.deepEqual(counts, [1]);
  const all = heard(subscriber, "pmessage");
  await redis.publish(`${prefix}`, "no match");
  await redis.publish(`${prefix}:sport`, { score: "2,1" });
  assert.deepEqual(await all.until(1), [{ pattern: `${prefix}:*`, channel: `${prefix}:sport`, message: { score: "2,1" } }]);
});

test("messages from scripts, pipelines and transactions", async (t) => {
  const channel = key("channel");
  const { subscriber } = await listen(t, "subscribe", [channel]);
  const messages = heard(subscriber, "message");
  await redis.eval("return redis.call('PUBLISH', KEYS[1], 'script')", [channel], []);
  await redis.pipeline().publish(channel, "pipeline").exec();
  await redis.multi().publish(channel, "transaction").exec();
  assert.deepEqual((await messages.until(3)).map((m) => m.message), ["script", "pipeline", "transaction"]);
});

test("a wrong token hears nothing", async (t) => {
  const subscriber = client({ token: "wrong" }).subscribe([key("channel")]);
  t.after(() => subscriber.unsubscribe());
  const [error] = await heard(subscriber, "error").until(1);
  assert.match(error.message, /WRONGPASS/);
});

// events reads a stream of server-sent events without the SDK, which has no
// monitor.
async function* events(path, bearer, signal) {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { Authorization: `Bearer ${bearer}`, Accept: "text/event-stream" },
    signal,
  });
  assert.equal(response.status, 200);
  assert.match(response.headers.get("Content-Type"), /^text\/event-stream/);
  let buffer = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    buffer += chunk;
    const lines = buffer.split("\n");
    buffer = lines.pop();
    for (const line of lines) {
      if (line !== "") {
        yield line;
      }
    }
  }
}

test("the stream on the wire", async (t) => {
  const channel = key("channel");
  const abort = new AbortController();
  t.after(() => abort.abort());
  const stream = events(`/subscribe/${channel}`, token, abort.signal);
  assert.equal((await stream.next()).value, `data: subscribe,${channel},1`);
  await redis.publish(channel, "hello");
  assert.equal((await stream.next()).value, `data: message,${channel},hello`);
});

test("monitor shows the commands of others", async (t) => {
  const abort = new AbortController();
  t.after(() => abort.abort());
  const stream = events("/monitor", token, abort.signal);
  assert.match((await stream.next()).value, /^data: "?OK"?$/);
  const k = key();
  await redis.set(k, "v");
  for await (const line of stream) {
    assert.match(line, /^data: /);
    if (line.includes(k)) {
      assert.match(line, /"set"/i);
      break;
    }
  }
});

test("a read-only token may not monitor", async () => {
  const response = await fetch(`${url}/monitor`, { method: "POST", headers: { Authorization: `Bearer ${readOnlyToken}` } });
  assert.ok(response.status >= 400, `status ${response.status}`);
  await response.body.cancel();
});
