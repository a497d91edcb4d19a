import assert from "node:assert/strict";
import { before, test } from "node:test";
import { eventually, play, rows, signIn, submit, watched } from "./support.mjs";

const board = "**/v1/leaderboards/**";
const failed = [/Failed to load resource/];

before(async () => {
  await submit([
    { mode: "daily_frame", player: "user_a", score: 900 },
    { mode: "daily_frame", player: "user_b", score: 700 },
    ...Array.from({ length: 10 }, (_, i) => ({ mode: "clip_guesser", player: "user_" + i, score: 100 + i })),
  ]);
});

const problem = (status, code, headers = {}) => ({
  status,
  headers: { "Content-Type": "application/problem+json", ...headers },
  body: JSON.stringify({ type: "about:blank", code, title: code, status, detail: code }),
});

test("while the board comes, its place is kept", watched(async ({ open }) => {
  const page = await open();
  let go;
  const held = new Promise((resolve) => (go = resolve));
  await page.route(board, async (route) => (await held, route.continue()));
  await page.goto("/?mode=clip_guesser");
  await page.locator("[data-testid=board][aria-busy=true] .skeleton").first().waitFor();
  const place = () => page.getByTestId("board").locator("..").evaluate((e) => e.getBoundingClientRect().top + " " + e.getBoundingClientRect().height);
  await page.getByRole("heading", { name: "Framedle" }).waitFor();
  const was = await place();
  go();
  await page.getByTestId("row").first().waitFor();
  assert.equal(await place(), was);
  assert.equal(await page.locator(".skeleton").count(), 0);
}));

test("before the game is known, the place of its board is drawn", watched(async ({ open }) => {
  const page = await open();
  let go;
  const held = new Promise((resolve) => (go = resolve));
  await page.route("**/v1/game", async (route) => (await held, route.continue()));
  await page.goto("/");
  await page.locator("[data-testid=board][aria-busy=true] .skeleton").nth(9).waitFor();
  go();
  await page.getByTestId("row").first().waitFor();
  assert.equal(await page.locator(".skeleton").count(), 0);
}));

for (const [width, height, colorScheme] of [[1280, 860, "light"], [768, 1000, "dark"], [360, 740, "dark"], [740, 360, "light"]]) {
  test(`before any script the board's place is drawn, and the script keeps it, ${width} pixels, ${colorScheme}`, watched(async ({ open }) => {
    const page = await open(undefined, { viewport: { width, height }, colorScheme, still: true });
    const until = [];
    const hold = (of) => page.route(of, async (route) => (await new Promise((go) => until.push(go)), route.continue()));
    await hold("**/page.js");
    await hold("**/v1/**");
    await page.addInitScript(() => {
      window.shifts = [];
      new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((e) => e.value))).observe({ type: "layout-shift", buffered: true });
    });
    await page.goto("/?mode=clip_guesser", { waitUntil: "commit" });
    await page.getByTestId("shell").locator("li").nth(9).waitFor();
    assert.equal(await page.getByTestId("shell").getAttribute("aria-hidden"), "true");
    assert.equal(await page.getByTestId("shell").innerText(), "");
    const colour = colorScheme === "dark" ? "rgb(14, 16, 22)" : "rgb(245, 246, 250)";
    await page.waitForFunction((is) => getComputedStyle(document.body).backgroundColor === is, colour); // the rows may come before the style sheet
    assert.ok(await page.evaluate(() => document.getAnimations().length > 0), "the rows pulse");
    await page.emulateMedia({ reducedMotion: "reduce" });
    assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
    const boxes = (rows) => page.locator(rows).evaluateAll((all) => all.map((row) => ["x", "y", "width", "height"].map((side) => Math.round(row.getBoundingClientRect()[side]))));
    const drawn = await boxes("[data-testid=shell] li");
    until.shift()();
    await page.locator("[data-testid=board] .skeleton").nth(9).waitFor();
    assert.deepEqual(await boxes(".skeleton"), drawn);
    await page.evaluate(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))));
    const shifts = await page.evaluate(() => window.shifts);
    assert.ok(shifts.reduce((a, b) => a + b, 0) < 0.02, `layout shifts: ${shifts}`);
    until.forEach((go) => go());
    await page.getByTestId("row").first().waitFor();
  }));
}

test("without JavaScript the page says what it needs", watched(async ({ open }) => {
  const page = await open("/", { javaScriptEnabled: false, viewport: { width: 320, height: 640 } });
  await page.locator("noscript p").filter({ hasText: "This page needs JavaScript. Turn it on" }).waitFor();
}));

test("what is wrong stands under the picture while there is no board, then above the board", watched(async ({ open }) => {
  const page = await open(undefined, { allow: failed, still: true });
  await page.route(board, (route) => route.fulfill(problem(429, "rate-limited", { "Retry-After": "600" })));
  await page.goto("/");
  const error = page.getByTestId("error");
  await error.filter({ hasText: "Too many requests" }).waitFor();
  const below = () => page.locator(".picture-empty svg:visible").evaluate((svg) => !!svg.parentElement.querySelector("svg + [data-testid=error] button"));
  await eventually(below, (is) => is);
  await page.unroute(board);
  await page.getByTestId("retry").click();
  await page.getByTestId("row").first().waitFor();
  assert.equal(await error.isVisible(), false);
  await page.context().setOffline(true);
  await error.filter({ hasText: "offline" }).waitFor();
  assert.ok((await error.boundingBox()).y < (await page.getByTestId("row").first().boundingBox()).y);
}));

test("who is signed out is asked to sign in for duels, and sees the ratings", watched(async ({ open }) => {
  const page = await open();
  await page.route("**/v1/game", async (route) => {
    const response = await route.fetch();
    const game = await response.json();
    await route.fulfill({ response, json: { ...game, features: [...game.features, "duels"] } }); // they need a database
  });
  await page.route(board, async (route) => route.fulfill({ json: { mode: "duels", period: "alltime", key: "all", scope: "global", total: 1, closed: false, updated_at: new Date().toISOString(), entries: [{ rank: 1, player: "user_a", score: 1000 }] } }));
  await page.goto("/?tab=duels");
  await page.getByTestId("signed-out").filter({ hasText: "Sign in to play duels." }).waitFor();
  await page.getByTestId("row").waitFor();
}));

test("a player whose rank is not known has no empty card", watched(async ({ open }) => {
  const page = await open("/", { allow: failed, still: true });
  await signIn(page, "Nora");
  await page.getByTestId("mine").waitFor();
  await page.context().setOffline(true);
  await page.getByTestId("tab-month").click();
  await page.locator(".picture-empty [data-testid=error]").filter({ hasText: "offline" }).waitFor();
  await page.getByTestId("mine").waitFor({ state: "hidden" });
  await page.getByTestId("tab-day").click();
  await page.getByTestId("mine").waitFor();
}));

test("offline, the last page stays with its time; back online it goes on", watched(async ({ open }) => {
  const page = await open("/", { allow: failed });
  await page.getByTestId("row").nth(1).waitFor();
  await page.context().setOffline(true);
  await page.getByTestId("tab-week").click();
  await page.getByTestId("error").filter({ hasText: "You’re offline" }).waitFor();
  await page.getByTestId("tab-day").click();
  await page.getByTestId("row").nth(1).waitFor(); // is not old enough to be asked for again
  await page.getByTestId("tab-week").click();
  await page.getByTestId("error").waitFor();
  await page.context().setOffline(false);
  await page.getByTestId("row").nth(1).waitFor();
  await page.getByTestId("error").waitFor({ state: "hidden" });
}));

test("with the API down the rows stay, and trying again is a button away", watched(async ({ open }) => {
  const page = await open(undefined, { allow: failed, still: true, late: true }); // a board that is streamed is not requested again
  await page.clock.install();
  await page.goto("/");
  await page.getByTestId("row").nth(1).waitFor();
  await page.route(board, (route) => route.fulfill(problem(503, "temporarily-unavailable", { "Retry-After": "600" })));
  await page.clock.runFor(60_100);
  await page.getByTestId("error").filter({ hasText: "last known standings" }).waitFor();
  assert.deepEqual(await rows(page), ["user_a", "user_b"]);
  assert.match(await page.getByTestId("updated").textContent(), /^As of /);
  await page.unroute(board);
  await page.getByTestId("retry").click();
  await page.getByTestId("error").waitFor({ state: "hidden" });
  assert.match(await page.getByTestId("updated").textContent(), /^Updated /);
}));

test("who opens the page while the API is down sees it come back", watched(async ({ open }) => {
  const page = await open(undefined, { allow: failed, still: true });
  await page.route("**/v1/**", (route) => route.abort());
  await page.goto("/");
  await page.getByTestId("error").first().waitFor();
  await page.unroute("**/v1/**");
  await page.getByTestId("retry").first().click();
  await page.getByTestId("row").nth(1).waitFor();
}));

test("whoever asks too often is told when it goes on, and it does", watched(async ({ open }) => {
  const page = await open(undefined, { allow: failed });
  await page.clock.install();
  await page.route(board, (route) => route.fulfill(problem(429, "rate-limited", { "Retry-After": "30" })));
  await page.goto("/?mode=daily_frame");
  await page.locator("[data-shows^=clock]").waitFor();
  await page.getByTestId("error").filter({ hasText: /Too many requests\. Trying again at \d+:\d\d:\d\d/ }).waitFor();
  await page.unroute(board);
  await page.clock.runFor(31_000);
  await page.getByTestId("row").nth(1).waitFor();
}));

test("during maintenance the page says so, with a picture of its own", watched(async ({ open }) => {
  const page = await open(undefined, { allow: failed, still: true });
  await page.route(board, (route) => route.fulfill(problem(503, "maintenance", { "Retry-After": "600" })));
  await page.goto("/?mode=daily_frame");
  await page.getByTestId("error").filter({ hasText: "paused for maintenance" }).waitFor();
  await page.locator("[data-shows^=tools]").waitFor();
}));

test("boards of before say what they are", watched(async ({ open }) => {
  const page = await open("/?date=2024-01-01", { still: true });
  await page.getByTestId("note").filter({ hasText: "aren’t available" }).waitFor();
  await page.route(board, async (route) => {
    const response = await route.fetch();
    const answer = { ...(await response.json()), closed: true };
    await route.fulfill({ response, json: answer });
  });
  await page.goto("/?mode=daily_frame");
  await page.getByTestId("updated").filter({ hasText: "Final standings" }).waitFor();
  await page.unroute(board);
  await page.route(board, async (route) => {
    const response = await route.fetch();
    const answer = { ...(await response.json()), stale: true };
    await route.fulfill({ response, json: answer, headers: { ...response.headers(), "framedle-degraded": "caches" } });
  });
  await page.goto("/?mode=daily_frame");
  await page.getByTestId("note").filter({ hasText: "last known standings. Updates are slower" }).waitFor();
  assert.match(await page.getByTestId("updated").textContent(), /^As of /);
}));

test("tabs of what a game does not have are not there", watched(async ({ open }) => {
  const page = await open("/?tab=friends"); // friends need a database
  await page.locator("[data-testid=tab-day][aria-selected=true]").waitFor();
  await page.getByTestId("tab-friends").waitFor({ state: "detached" }); // once the game is known
}));

test("what is played in one window shows in the other", watched(async ({ open }) => {
  const here = await open("/");
  const there = await here.context().newPage();
  await there.goto("/");
  await there.getByTestId("row").nth(1).waitFor();
  await signIn(here, "Two");
  await play(here, 800);
  await here.getByTestId("my-rank").filter({ hasText: "Rank #2" }).waitFor();
  await signIn(there, "Two");
  await there.getByTestId("my-rank").filter({ hasText: "Rank #2" }).waitFor();
  assert.deepEqual(await rows(there), ["user_a", "user_two", "user_b"]);
}));

test("names of strangers are text", watched(async ({ open }) => {
  const page = await open(undefined, { allow: failed, still: true });
  const hostile = [
    "<script>window.owned=1</script><img src=x onerror=window.owned=1>",
    "\u202eevil\u2066 txt.exe",
    "Z" + "\u0301".repeat(80) + "algo",
    "W".repeat(500),
    "x\" onmouseover=\"window.owned=1",
    "",
  ];
  await page.route("**/v1/leaderboards/daily_frame?**", (route) =>
    route.fulfill({
      json: {
        mode: "daily_frame", period: "day", key: "2026-11-21", scope: "global", total: 6, updated_at: "2026-11-21T10:00:00Z", closed: false,
        entries: hostile.map((name, i) => ({ rank: i + 1, player: "user_h" + i, score: 9 - i, name, country: i ? "BR" : "<b", picture: i % 2 ? "javascript:window.owned=1" : "http://elsewhere.example/p.png" })),
      },
    }),
  );
  await page.route("**/players/**", (route) =>
    route.fulfill({ json: { mode: "daily_frame", period: "day", key: "2026-11-21", scope: "global", rank: 1, player: "user_h0", score: 9, name: hostile[0], total: 6, percentile: 100, top_percent: 17, previous_rank: 4, rank_change: 3, details: { grid: ["<img src=x onerror=window.owned=1>", 7], "<b>": "<i>", deep: {} } } }),
  );
  await page.goto("/?mode=daily_frame");
  await page.getByTestId("row").nth(5).waitFor();
  const place = await page.evaluate(() =>
    [...document.querySelectorAll("tbody tr")].map((row) => ({ height: row.getBoundingClientRect().height, name: row.querySelector("bdi").textContent, contained: ["th > div", "th button"].some((part) => getComputedStyle(row.querySelector(part)).contain.includes("paint")) })),
  );
  for (const [i, { height, name, contained }] of place.entries()) {
    assert.equal(height, i < 3 ? height : 56, "no name makes a row higher");
    assert.ok(contained, "no mark reaches the rows above");
    assert.equal(name, hostile[i] || name);
  }
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  await page.getByTestId("row").first().getByRole("button").click();
  await page.getByTestId("card").getByText("onerror").first().waitFor();
  assert.equal(await page.evaluate(() => window.owned), undefined);
  assert.equal(await page.locator("main img, main b, main i:not(.skeleton i), main script").count(), 0);
}));

test("on a phone a card is a sheet that is pulled down", watched(async ({ open }) => {
  const page = await open("/", { viewport: { width: 360, height: 740 }, reducedMotion: "reduce", still: true });
  await page.getByTestId("row").first().getByRole("button").click();
  const card = page.getByTestId("card");
  await card.getByTestId("card-rank").waitFor();
  const pull = async (by) => {
    const { x, y, width, height } = await card.getByTestId("grab").boundingBox();
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + height / 2 + by, { steps: 4 });
    await page.mouse.up();
  };
  const { y } = await card.boundingBox();
  await pull(40);
  assert.equal((await card.boundingBox()).y, y, "not far enough: it is back");
  await pull(120);
  await card.waitFor({ state: "hidden" });
  await eventually(async () => new URL(page.url()).search, (search) => !search.includes("player"));
}));
