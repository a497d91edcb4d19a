// What every test of the pages begins with: a browser, pages that are watched, and
// the product behind them.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after } from "node:test";
import { chromium } from "playwright-core";

export const url = process.env.PRODUCT_URL;

// A machine that does other things too may take long over anything; nothing waits
// that long that goes well.
const patience = Number(process.env.PATIENCE ?? 120_000); // ms

let launched;

function browser() {
  launched ??= chromium.launch({
    executablePath: process.env.CHROMIUM,
    // Chromium's sandbox does not start for root, as which containers run tests.
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  return launched;
}

after(async () => {
  await (await launched)?.close();
});

// watched is a test's body that gets `open`, which makes a page in a browser profile
// of its own. The test fails if a page logs an error, throws, or asks another host
// for anything.
export function watched(body) {
  return async (t) => {
    const opened = [];
    try {
      await body({ t, open: async (path, options) => (await visit(opened, options)).to(path) });
      assert.deepEqual(opened.flatMap((w) => w.complaints()), []);
    } finally {
      for (const w of opened) await w.context.close();
    }
  };
}

async function visit(opened, { allow = [], origins = [], still = false, late = !still, ...options } = {}) {
  const context = await (await browser()).newContext({ baseURL: url, locale: "en-GB", timezoneId: "UTC", ...options });
  context.setDefaultTimeout(patience);
  context.setDefaultNavigationTimeout(patience);
  if (still) await context.route("**/v1/live/**", (route) => route.fulfill({ status: 501, contentType: "application/problem+json", body: '{"status":501,"code":"no-live-boards"}' }));
  if (!late) await context.addInitScript(neverLate);
  const watch = new Watch(context, [new URL(url).origin, ...origins], still ? [...allow, /status of 501/] : allow);
  opened.push(watch);
  return {
    async to(path) {
      const page = await context.newPage();
      if (path !== undefined) await page.goto(path);
      page.watch = watch;
      return page;
    },
  };
}

// neverLate drops what a page puts off for five seconds or more: refreshes, retries, the end of
// a message. Without it, and without streams (`still`), a page asks for nothing by itself. So a
// test can say what a page asks for, and use what it would take away, however slow the machine is.
function neverLate() {
  const set = window.setTimeout;
  window.setTimeout = (act, after, ...given) => (after >= 5_000 ? 0 : set(act, after, ...given));
}

// Watch keeps what the pages of a context said and asked for.
class Watch {
  constructor(context, origins, allow) {
    this.context = context;
    this.allow = allow; // regular expressions of complaints that a test provokes
    this.requests = []; // {method, url} in the order in which they were sent
    this.said = [];
    context.on("console", (m) => m.type() === "error" && this.said.push(`console: ${m.text()} (${m.location().url})`));
    context.on("weberror", (e) => this.said.push(`thrown: ${e.error().stack}`));
    this.answered = 0; // of those to the API
    context.on("requestfinished", (r) => /^\/v1\/(?!live\/)/.test(new URL(r.url()).pathname) && this.answered++);
    context.on("request", (r) => {
      this.requests.push({ method: r.method(), url: r.url(), headers: r.headers() });
      const { protocol, origin } = new URL(r.url());
      if (protocol.startsWith("http") && !origins.includes(origin)) this.said.push(`asked another host: ${r.url()}`);
    });
  }

  // api is what was asked of the API since the mark, in short: "GET /v1/game".
  api(since = 0) {
    return this.requests
      .slice(since)
      .map((r) => [r.method, new URL(r.url)])
      .filter(([, u]) => u.pathname.startsWith("/v1/") && !u.pathname.startsWith("/v1/live/")) // a stream stays open
      .map(([method, u]) => `${method} ${u.pathname}${u.search}`);
  }

  complaints() {
    return this.said.filter((line) => !this.allow.some((pattern) => pattern.test(line)));
  }
}

// call asks the product itself, beside any page.
export async function call(method, path, body, headers = {}) {
  const response = await fetch(url + path, {
    method,
    headers: body === undefined ? headers : { "Content-Type": "application/json", ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  const answer = /json/.test(response.headers.get("Content-Type") ?? "") ? JSON.parse(text) : text;
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
  return answer;
}

// token is a session token for a player.
export async function token(player, claims = {}) {
  return (await call("POST", "/_local/token", { player, ...claims })).token;
}

export async function setClock(now) {
  await call("PUT", "/_local/clock", { now });
}

// submit sends scores as a game server does, a thousand at once.
export async function submit(scores) {
  const { signing_key: key } = await call("GET", "/_local/secrets");
  for (let first = 0; first < scores.length; first += 1000) {
    const body = JSON.stringify({ scores: scores.slice(first, first + 1000) });
    const t = Math.floor(Date.now() / 1000);
    const signature = createHmac("sha256", key).update(`${t}.POST./v1/scores/batch.${body}`).digest("hex");
    const response = await fetch(url + "/v1/scores/batch", {
      method: "POST",
      headers: { "Content-Type": "application/json", "Framedle-Signature": `t=${t},v2=${signature}` },
      body,
    });
    const { results } = await response.json();
    for (const result of results) assert.equal(result.problem, undefined);
  }
}

// signIn signs in by the page's own box.
export async function signIn(page, name) {
  await page.getByTestId("sign-in-name").fill(name);
  await page.getByTestId("sign-in").click();
  await page.getByTestId("signed-in").waitFor();
}

// play sends a score by the page's own form.
export async function play(page, score) {
  await page.getByTestId("play-score").fill(String(score));
  await page.getByTestId("play").click();
  await page.getByTestId("play-said").filter({ hasText: /./ }).waitFor();
}

// settled waits until a page has the answers to all that it asked the API, and asks nothing more.
export async function settled(page) {
  for (let quiet = 0, asked = -1; quiet < 5; await new Promise((done) => setTimeout(done, 100))) {
    const sent = page.watch.api().length;
    quiet = sent === asked && page.watch.answered === sent ? quiet + 1 : 0;
    asked = sent;
  }
}

// eventually waits until a reading satisfies.
export async function eventually(read, satisfies) {
  for (const began = Date.now(); ; ) {
    const value = await read();
    if (satisfies(value)) return value;
    assert.ok(Date.now() - began < patience, `still ${JSON.stringify(value)}, which is not ${satisfies}`);
    await new Promise((go) => setTimeout(go, 50));
  }
}

// rows are the players of the board in order, as they stand in its body.
export const rows = (page) => page.locator("tbody [data-testid=row]").evaluateAll((all) => all.map((row) => row.dataset.player));
