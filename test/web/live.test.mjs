// Live boards as browsers and curl follow them, and through what stands between.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer, request as ask } from "node:http";
import { after, test } from "node:test";
import { eventually, submit, url, watched } from "./support.mjs";

const servers = [];
after(() => servers.forEach((server) => (server.closeAllConnections(), server.close())));

async function serve(answer) {
  const server = createServer(answer);
  servers.push(server);
  await new Promise((go) => server.listen(0, "127.0.0.1", go));
  return `http://127.0.0.1:${server.address().port}`;
}

/** A proxy before the product. What it does with a stream is for `streamed` to say; it gets the answers of both sides. */
async function proxy(streamed) {
  const seen = [];
  const at = await serve((request, response) => {
    seen.push(request.url);
    const onward = ask(url + request.url, { method: request.method, headers: { ...request.headers, host: new URL(url).host } }, (answer) => {
      if (request.url.startsWith("/v1/live/")) return streamed(answer, response);
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    request.pipe(onward);
    response.on("close", () => onward.destroy());
  });
  return { at, streams: () => seen.filter((path) => path.startsWith("/v1/live/")).length, pages: () => seen.filter((path) => path.startsWith("/v1/leaderboards/")).length };
}

// As a load balancer cuts what has been open for as long as it lets anything be.
const cutting = () => proxy((answer, response) => {
  response.writeHead(answer.statusCode, answer.headers);
  answer.on("data", (chunk) => response.write(chunk, () => chunk.includes("data: ") && response.destroy()));
});

// As one that wants to have the whole answer before it passes it on.
const holding = () => proxy((answer, response) => {
  const kept = [];
  answer.on("data", (chunk) => kept.push(chunk));
  answer.on("end", () => (response.writeHead(answer.statusCode, answer.headers), response.end(Buffer.concat(kept))));
});

// As the API on Lambda, whose boards a container streams.
const sending = async () => {
  const at = await serve((request, response) => response.writeHead(307, { Location: url + request.url, "Access-Control-Allow-Origin": "*" }).end());
  return { at };
};

// As the API on Lambda where there is none.
const refusing = () => proxy((answer, response) => {
  answer.destroy();
  response.writeHead(501, { "Content-Type": "application/problem+json", "Access-Control-Allow-Origin": "*" }).end('{"status":501,"code":"no-live-boards"}');
});

const cut = { allow: [/ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/] };

/** A page of somebody else's, empty but for some HTML. */
const page = async (open, html, options = {}) => {
  const origin = await serve((request, response) => request.url === "/" ? response.writeHead(200, { "Content-Type": "text/html" }).end(`<!doctype html><title>Elsewhere</title>${html}`) : response.writeHead(204).end());
  return open(origin + "/", { ...options, origins: [origin, ...(options.origins ?? [])] });
};

/** The board as an EventSource of the page's has it, by the rule of docs/build/live.md. */
const follow = (page, address) => page.evaluate((address) => {
  window.rows = null;
  window.source = new EventSource(address);
  const put = (rows, gone, entries) => {
    const other = new Set([...gone, ...entries.map((row) => row.player)]);
    window.rows = [...rows.filter((row) => !other.has(row.player)), ...entries].sort((a, b) => a.rank - b.rank);
  };
  window.source.addEventListener("board", ({ data }) => put([], [], JSON.parse(data).entries));
  window.source.addEventListener("change", ({ data }) => ((change) => put(window.rows, change.gone, change.entries))(JSON.parse(data)));
}, address);

const players = (page) => page.evaluate(() => (window.rows ?? [{ player: "nothing yet" }]).map((row) => row.player).join());

for (const [name, mode, made, options] of [
  ["follows a board", "daily_frame", async () => ({ at: url }), {}],
  ["comes back where a proxy cuts it", "year_guesser", cutting, cut],
  ["goes where it is sent", "clip_guesser", sending, {}],
]) {
  test("Chromium's EventSource " + name, watched(async ({ open }) => {
    const through = await made();
    const seen = await page(open, "", { ...options, origins: [url, through.at] });
    await follow(seen, `${through.at}/v1/live/${mode}?limit=10`);
    await eventually(() => players(seen), (now) => now === "");
    await submit([{ mode, player: "user_first", score: 5 }]);
    await eventually(() => players(seen), (now) => now === "user_first");
    await submit([{ mode, player: "user_second", score: 7 }]);
    await eventually(() => players(seen), (now) => now === "user_second,user_first");
    if (through.streams) assert.ok(through.streams() > 1, "it came back by itself");
    await seen.evaluate(() => window.source.close());
  }));
}

test("a new first place is on the page without a second having passed there", watched(async ({ open }) => {
  await submit([{ mode: "timeline_sort", player: "user_before", score: 5 }]);
  const seen = await open();
  await seen.clock.install();
  await seen.goto("/?mode=timeline_sort");
  await seen.getByTestId("live").waitFor();
  await seen.clock.pauseAt(Date.now() + 20_000); // from here on nothing is requested because of the time
  await submit([{ mode: "timeline_sort", player: "user_above", score: 7 }]);
  await seen.locator("tbody [data-testid=row][data-player=user_above][data-rank='1']").waitFor();
}));

test("curl follows a board, there and where it is sent", async () => {
  for (const [at, mode] of [[url, "sound_only"], [(await sending()).at, "sound_only"]]) {
    const curl = spawn("curl", ["-sNL", `${at}/v1/live/${mode}?limit=100`]);
    try {
      let said = "";
      curl.stdout.on("data", (chunk) => (said += chunk));
      await eventually(async () => said, (now) => now.includes("event: board"));
      const player = "user_" + Math.random().toString(36).slice(2);
      await submit([{ mode, player, score: 6 }]);
      await eventually(async () => said, (now) => /event: change/.test(now) && now.includes(player));
    } finally {
      curl.kill();
    }
  }
});

for (const [name, mode, made, options] of [
  ["whose streams are cut", "pixel_reveal", cutting, cut],
  ["whose streams are held back", "pixel_reveal", holding, {}],
  ["without streams", "pixel_reveal", refusing, { allow: [/501/] }],
]) {
  test("a live board in a page moves by an API " + name, watched(async ({ open }) => {
    const through = await made();
    const seen = await page(open, `<script type="module" src="${url}/leaderboards.js"></script><framedle-leaderboard api="${through.at}" mode="${mode}" limit="100" live></framedle-leaderboard>`, { ...options, origins: [url, through.at] });
    await eventually(async () => through.streams(), (n) => n > 0);
    const player = "user_" + Math.random().toString(36).slice(2);
    await submit([{ mode, player, score: 5 }]);
    await seen.locator(`[data-testid=row][data-player=${player}]`).waitFor();
    if (name === "without streams") {
      const streams = through.streams(), pages = through.pages();
      await eventually(async () => through.pages(), (n) => n > pages + 1);
      assert.equal(through.streams(), streams, "asked for once");
    }
  }));
}

test("a score that changes flashes, and nothing else does", watched(async ({ open }) => {
  const player = (name, score) => ({ mode: "streak", player: "user_" + name, score });
  await submit([player("x", 10), player("y", 20), player("z", 30)]);
  const page = await open("/?mode=streak");
  await page.getByTestId("live").waitFor();
  await page.evaluate(() => {
    window.flashed = [];
    const { animate } = Element.prototype;
    Element.prototype.animate = function (frames, ...rest) {
      if (frames.backgroundColor) window.flashed.push(this.dataset.player);
      return animate.call(this, frames, ...rest);
    };
  });
  await submit([player("x", 40)]);
  await page.locator("tbody [data-player=user_x][data-rank='1']").waitFor();
  assert.deepEqual(await page.evaluate(() => window.flashed), ["user_x"]);
  await page.getByTestId("tab-week").click();
  await page.getByTestId("tab-day").click();
  await page.locator("tbody [data-player=user_x][data-rank='1']").waitFor();
  assert.deepEqual(await page.evaluate(() => window.flashed), ["user_x"]);
}));
