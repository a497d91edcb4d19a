// The client works without the globals that browsers and Node have, and Workers and apps lack.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";

test("it needs fetch, crypto, timers and the classes of the web, and nothing else", async () => {
  const bundled = await build({
    entryPoints: [fileURLToPath(new URL("../dist/index.js", import.meta.url))],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "sdk",
  });
  const inits = [];
  const page = { mode: "m", period: "day", key: "2026-11-21", scope: "global", total: 1, updated_at: "2026-11-21T12:00:00Z", closed: true, entries: [] };
  const answer = { ...page, status: "accepted", board: "lb:m:2026-11-21", date: page.key, player: "a", score: 1, rank: 1 };
  // A Worker without cache modes: it throws if one is set.
  class Request {}
  const fetch = async (url, init) => {
    if ("cache" in init) throw new TypeError("The 'cache' field is not implemented");
    inits.push([init.method, url]);
    return new Response(JSON.stringify(init.method === "POST" ? answer : page), { headers: { "Content-Type": "application/json" } });
  };
  const { AbortController, URLSearchParams, crypto, setTimeout, clearTimeout } = globalThis;
  const place = createContext({ fetch, Request, AbortController, URLSearchParams, crypto, setTimeout, clearTimeout });
  runInContext(bundled.outputFiles[0].text, place);
  const lb = runInContext("sdk.createClient({ baseUrl: 'https://lb.example', getToken: () => 't' })", place);
  await lb.submit({ mode: "m", score: 1 });
  assert.equal((await lb.leaderboard("m")).entries[0].player, "a");
  for await (const live of lb.live("m")) assert.equal(live.closed, true);
  for await (const entry of lb.entries("m")) assert.equal(entry.me, true);
  assert.deepEqual(inits, [["POST", "https://lb.example/v1/scores"], ...Array(3).fill(["GET", "https://lb.example/v1/leaderboards/m"])]);
});
