// The operator's page against a product that has been played on: its figures are those
// that Redis has counted, and what it does is done.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { violations } from "../axe.mjs";
import { call, token as playerToken, watched } from "../support.mjs";

const token = process.env.OPS_TOKEN;
const spent = JSON.parse(process.env.SPENT);
const operator = { Authorization: `Bearer ${token}` };

const value = async (locator) => Number(await locator.getAttribute("value"));

// ready waits until every section has been answered.
async function ready(page) {
  for (const id of ["state", "schedules", "dead-letters", "maintenance", "bans", "log"]) {
    await page.locator(`[data-testid=${id}][aria-busy=false]`).waitFor({ state: "attached" });
  }
}

async function signedIn(open, options) {
  const page = await open("/ops/", options);
  await page.getByTestId("token").fill(token);
  await page.getByTestId("sign-in").click();
  await page.getByTestId("month-so-far").waitFor();
  await ready(page);
  return page;
}

const screens = ["overview", "bill", "routes", "what-if", "players", "held", "bans", "state", "schedules", "dead-letters", "maintenance", "log"];

// turn opens a screen by the rail, or by what takes its place on a phone.
async function turn(page, id) {
  const link = page.getByTestId("to-" + id);
  await link.waitFor({ state: "attached" });
  if (await link.isVisible()) await link.click();
  else await page.getByTestId("section").selectOption(id);
  await page.locator(`[data-testid=to-${id}][aria-current=page]`).waitFor({ state: "attached" });
}

// told waits for what an act is said to have done.
const told = (page, text) => page.getByTestId("told").filter({ hasText: text }).waitFor();

test("every figure is what Redis has counted", watched(async ({ open }) => {
  const page = await signedIn(open);
  for (const id of ["month-so-far", "today-commands"]) assert.equal(await value(page.getByTestId(id)), spent.all, id);
  assert.equal(await page.locator("[data-colour=c0]").textContent(), "submit", "whichever others there are");
  const shown = await page.locator(".legend data").evaluateAll((all) => all.map((d) => Number(d.value)));
  assert.equal(shown.reduce((a, b) => a + b), spent.all, "what the functions spend adds up");
  await turn(page, "bill");
  const today = page.locator("[data-day]").last();
  assert.equal(await value(today.locator("[data-function=all]")), spent.all);
  const functions = await today.locator("data[data-function]").evaluateAll((all) => all.map((d) => [d.dataset.function, Number(d.value)]));
  assert.deepEqual(Object.fromEntries(functions.filter(([name]) => name !== "all")), spent.by_function);
  const cells = async (of) => Object.fromEntries(await page.locator("[data-route]").evaluateAll((all, of) => all.map((r) => [r.dataset.route, Number(r.querySelector(`[data-of=${of}]`).value)]), of));
  await turn(page, "routes");
  for (const span of ["1", "7", "30"]) {
    await page.getByTestId("range-" + span).check();
    assert.deepEqual(await cells("commands"), spent.by_route);
    assert.deepEqual(await cells("calls"), spent.calls);
  }
  const told = await call("GET", "/v1/ops/usage?days=31&by=route", undefined, operator);
  const played = (await call("GET", "/v1/ops/statistics?days=7", undefined, operator)).days.at(-1);
  assert.equal(await value(page.getByTestId("players-today")), played?.players ?? 0);
  assert.equal(await value(page.getByTestId("plays-today")), Object.values(played?.results ?? {}).reduce((a, b) => a + b, 0));
  // The heads of a table sort it, numbers from the largest on.
  const calls = () => page.locator("[data-route] [data-of=calls]").evaluateAll((all) => all.map((d) => Number(d.value)));
  const head = page.getByTestId("routes").getByRole("columnheader", { name: "calls" });
  for (const [way, sign] of [["descending", -1], ["ascending", 1]]) {
    await head.getByRole("button").click();
    assert.equal(await head.getAttribute("aria-sort"), way);
    assert.deepEqual(await calls(), (await calls()).sort((a, b) => sign * (a - b)));
  }
  await turn(page, "bill");
  await page.getByTestId("range-30").check();
  const dates = page.getByTestId("days-table");
  await dates.getByRole("searchbox").fill(told.days.at(-1).date);
  assert.equal(await dates.locator("[data-day]:visible").count(), 1, "what is not filtered for is hidden");
  assert.equal(await value(page.getByTestId("month-projected")), told.projected_month);
  assert.equal(await value(page.getByTestId("plan")), told.plan.commands);
  assert.equal(await value(page.getByTestId("dollars")), told.bill.dollars);
  assert.equal(await value(page.getByTestId("today-allowance")), Math.floor(told.plan.commands / 31));
  await turn(page, "bill");
  const download = page.waitForEvent("download");
  await page.getByTestId("csv").click();
  const lines = (await readFile(await (await download).path(), "utf8")).trim().split("\r\n").map((l) => l.split(","));
  assert.equal(lines.length, 1 + 30);
  assert.deepEqual(lines[0], ["date", ...Object.keys(spent.by_function).sort(), "all", "upstash"]);
  assert.deepEqual(lines.at(-1).slice(1, -1).map(Number), [...Object.keys(spent.by_function).sort().map((f) => spent.by_function[f]), spent.all]);
}));

test("the first screen needs no scrolling", watched(async ({ open }) => {
  const page = await signedIn(open, { viewport: { width: 1280, height: 800 } });
  for (const id of ["verdict", "today-players", "today-plays", "today", "bill", "errors", "month", "drift", "degradation", "health"]) {
    const box = await page.getByTestId(id).boundingBox();
    assert.ok(box.y >= 0 && box.y + box.height <= 800, `${id} ends at ${box.y + box.height}`);
  }
  await page.getByTestId("bill").getByRole("link").click();
  await page.locator("[data-item=redis_commands]").waitFor();
}));

test("the slider shows what the API has told", watched(async ({ open }) => {
  const page = await signedIn(open);
  await turn(page, "what-if");
  const { what_if } = await call("GET", "/v1/ops/usage", undefined, operator);
  const slider = page.getByTestId("what-if-slider");
  await slider.focus();
  await page.keyboard.press("Home");
  for (const month of what_if.months) {
    assert.equal(await value(page.getByTestId("what-if-count")), month.players);
    assert.equal(await value(page.getByTestId("what-if-commands")), month.commands);
    assert.equal(await value(page.getByTestId("what-if-dollars")), month.dollars);
    assert.match(await slider.getAttribute("aria-valuetext"), /daily players/);
    await page.keyboard.press("ArrowRight");
  }
  await page.getByTestId("players-now").fill("20");
  // What the page was told itself: what looking costs may be counted by the next look.
  const answered = page.waitForResponse((r) => /\/v1\/ops\/usage\?.*players=20\b/.test(r.url()));
  await page.getByTestId("players-set").click();
  await told(page, "Refreshed");
  const with20 = (await (await answered).json()).what_if;
  await slider.focus();
  await page.keyboard.press("End");
  assert.equal(await value(page.getByTestId("what-if-commands")), with20.months.at(-1).commands);
}));

test("the token is in memory alone", watched(async ({ open }) => {
  const page = await open("/ops/", { allow: [/401/] });
  assert.equal(await page.evaluate(() => document.activeElement.id), "token");
  await page.keyboard.type("not-the-token-of-anybody-at-all-000000");
  await page.keyboard.press("Enter");
  await page.getByTestId("error").filter({ hasText: "Invalid token" }).waitFor();
  await page.keyboard.type(token); // what was wrong is selected
  await page.keyboard.press("Enter");
  await page.getByTestId("month-so-far").waitFor();
  await ready(page);
  assert.deepEqual(await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]), [0, 0, ""]);
  assert.ok(!(await page.content()).includes(token));
  assert.ok(page.watch.requests.every((r) => !r.url.includes(token)));
  await page.getByTestId("sign-out").click();
  await page.getByTestId("token").waitFor();
  assert.equal(await page.getByTestId("token").inputValue(), "");
  assert.equal(await page.getByTestId("month-so-far").count(), 0);
  await page.getByTestId("token").fill(token);
  await page.getByTestId("sign-in").click();
  await page.getByTestId("month-so-far").waitFor();
  await page.reload();
  await page.getByTestId("token").waitFor();
  assert.equal(await page.getByTestId("month-so-far").count(), 0);
}));

test("a player is looked at, loses a score, is banned, let in and erased", watched(async ({ open }) => {
  const page = await signedIn(open, { allow: [/ERR_FAILED/] });
  await turn(page, "players");
  await page.getByTestId("player-id").fill("user_3");
  const before = page.watch.requests.length;
  await page.getByTestId("player-look").click();
  await told(page, "Showing user_3.");
  assert.deepEqual(page.watch.api(before), ["GET /v1/ops/players/user_3"]);
  assert.match(await page.getByTestId("player-name").textContent(), /^<img src=x/, "a name is text");
  assert.notEqual(await page.title(), "owned");
  await page.getByTestId("remove-score").click();
  assert.ok(await page.getByTestId("confirm").isDisabled());
  await page.getByTestId("confirm-word").fill("user_4");
  assert.ok(await page.getByTestId("confirm").isDisabled());
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.equal(await page.locator("[data-score]").count(), 1);
  await page.getByTestId("remove-score").click();
  await page.getByTestId("confirm-word").fill("user_3");
  await page.keyboard.press("Enter");
  await page.getByText("No scores on this page.").waitFor();
  await turn(page, "log");
  await page.getByTestId("log").getByText("user_3").first().waitFor();

  await turn(page, "players");
  await page.getByTestId("player-id").fill("user_5");
  await page.getByTestId("player-look").click();
  await page.getByTestId("ban-this").click(); // leads to the screen of bans
  assert.equal(new URL(page.url()).hash, "#bans");
  assert.equal(await page.evaluate(() => document.activeElement.id), "ban-reason");
  assert.equal(await page.getByTestId("ban-player").inputValue(), "user_5");
  await page.getByTestId("ban-reason").fill("<b>plays with a script</b>");
  await page.getByTestId("ban").click();
  await page.getByRole("dialog").getByText(/^Player 5 \(user_5\) can no longer play\. 1 score on record\. .* does not restore them\.$/).waitFor();
  await page.getByTestId("cancel").click();
  assert.equal((await fetch(`${process.env.PRODUCT_URL}/v1/leaderboards/daily_frame/players/user_5`)).status, 200);
  await page.getByTestId("ban").click();
  await page.getByTestId("confirm-word").fill("user_5");
  await page.keyboard.press("Enter");
  await told(page, "user_5 banned");
  await page.locator("[data-banned=user_5]").getByText("<b>plays with a script</b>").waitFor();
  const card = await fetch(`${process.env.PRODUCT_URL}/v1/leaderboards/daily_frame/players/user_5`);
  assert.equal(card.status, 404);
  await page.locator("[data-banned=user_5]").getByTestId("unban").click();
  await told(page, "user_5 unbanned");
  await page.locator("[data-banned=user_5]").waitFor({ state: "detached" });

  await turn(page, "players");
  await page.getByTestId("player-id").fill("user_6");
  await page.getByTestId("player-look").click();
  await page.locator("[data-score]").waitFor();
  // Acts on a player are gone as soon as another one is named, and stay away if that one cannot be read.
  await page.getByTestId("player-id").fill("user_7");
  assert.equal(await page.getByTestId("erase").count(), 0);
  await page.route("**/v1/ops/players/user_7", (route) => route.abort());
  await page.getByTestId("player-look").click();
  await told(page, "is not responding");
  assert.equal(await page.getByTestId("erase").count() + await page.getByTestId("remove-score").count(), 0);
  await page.getByTestId("player-id").fill("user_6");
  await page.getByTestId("player-look").click();
  await page.locator("[data-score]").waitFor();
  await page.getByTestId("erase").click();
  await page.getByTestId("confirm-word").fill("user_6");
  await page.getByTestId("confirm").click();
  await told(page, "user_6 erased");
  const left = await call("GET", "/v1/ops/players/user_6", undefined, operator);
  assert.equal(left.known, false);
}));

test("writes wait and are taken again", watched(async ({ open }) => {
  const page = await signedIn(open);
  await turn(page, "maintenance");
  await page.getByTestId("maintenance-hours").fill("2");
  await page.getByTestId("maintenance-begin").click();
  assert.equal(await page.getByRole("dialog").count(), 0, "without a reason nothing is asked");
  await page.getByTestId("maintenance-reason").fill("moving");
  await page.getByTestId("maintenance-begin").click();
  await page.getByRole("dialog").getByText("Players see: moving").waitFor();
  assert.equal((await call("GET", "/v1/ops/maintenance", undefined, operator)).on, false);
  await page.getByTestId("confirm-word").fill("framedle");
  await page.getByTestId("confirm").click();
  await page.getByTestId("maintenance-state").filter({ hasText: "In maintenance since" }).waitFor();
  const on = await call("GET", "/v1/ops/maintenance", undefined, operator);
  assert.equal(on.reason, "moving");
  assert.ok(Math.abs(Date.parse(on.until) - Date.parse(on.since) - 7_200_000) < 600_000);
  await page.getByTestId("maintenance-end").click();
  await page.getByTestId("maintenance-state").filter({ hasText: "Accepting writes." }).waitFor();
  assert.equal((await call("GET", "/v1/ops/maintenance", undefined, operator)).on, false);
}));

test("a schedule is fired and shows when it ran", watched(async ({ open }) => {
  const page = await signedIn(open);
  assert.equal((await fetch(process.env.PRODUCT_URL + "/v1/ops/schedules/cron-daily", { method: "POST" })).status, 401);
  await turn(page, "schedules");
  const row = page.locator("[data-schedule=cron-daily]");
  await page.getByTestId("fire-cron-daily").click();
  await told(page, "cron-daily finished.");
  await row.getByText("succeeded in").waitFor();
}));

test("dead letters are shown and sent back", watched(async ({ open }) => {
  const page = await open("/ops/");
  let sent = 0;
  await page.route("**/v1/ops/dead-letters", (route) => route.fulfill({ json: {
    failed_runs: { count: 1, redrive: false, samples: [{ id: "run-1", sent_at: "2026-11-21T12:00:00Z", age_seconds: 90061, receives: 2, reason: "postgres does not answer", message: "{}" }] },
    queued_scores: { count: sent ? 0 : 2, redrive: true, samples: sent ? [] : [{ id: "m-1", sent_at: "2026-11-21T12:00:00Z", age_seconds: 60, receives: 21, message: "<script>alert(1)</script>" }] },
  } }));
  await page.route("**/v1/ops/dead-letters/redrive", (route) => {
    assert.equal(route.request().method(), "POST");
    assert.equal(route.request().headers().authorization, `Bearer ${token}`);
    sent++;
    return route.fulfill({ status: 202, json: { sent_back: 2 } });
  });
  await page.getByTestId("token").fill(token);
  await page.getByTestId("sign-in").click();
  await page.locator("[data-testid=to-dead-letters] .waits").filter({ hasText: /^3$/ }).waitFor();
  await page.getByTestId("verdict").getByRole("link", { name: "3 dead letters" }).click();
  await page.getByTestId("failed-runs").getByText("postgres does not answer").waitFor();
  await page.getByTestId("failed-runs").getByText("1 day").waitFor();
  await page.getByTestId("queued-scores").getByText("<script>alert(1)</script>").waitFor();
  await page.getByTestId("redrive").click();
  await told(page, "2 scores re-queued.");
  await page.locator("[data-testid=redrive]:disabled").waitFor();
  assert.equal(sent, 1);
}));

test("what is wrong stands out", watched(async ({ open }) => {
  const page = await open("/ops/");
  await page.route("**/v1/ops/usage?**", async (route) => {
    const told = await (await route.fetch()).json();
    const [before, today] = told.days.slice(-2);
    Object.assign(before, { upstash: 10_000, drift: -0.1, drifts: true });
    today.by_route = { "POST /v1/scores": { calls: 100, commands: 1001, round_trips: 1, failed: 3, throttled: 4, budget: 10 }, "GET /v1/me": { calls: 100, commands: 2100, round_trips: 1, budget: 21 } };
    told.projected_month = 600_000;
    told.budget = { month: 30_000, month_before: 20_300, today: 700, allowance: 510, by_now: 319, pace: 2.1944, level: 2, degraded: ["caches", "refresh"] };
    await route.fulfill({ json: told });
  });
  await page.getByTestId("token").fill(token);
  await page.getByTestId("sign-in").click();
  await page.getByTestId("month-so-far").waitFor();
  for (const id of ["month", "today", "drift", "degradation"]) assert.equal(await page.getByTestId(id).getAttribute("data-state"), "bad", id);
  assert.equal(await page.getByTestId("drift-value").textContent(), "-10.0%");
  assert.equal(await value(page.getByTestId("level")), 2);
  assert.equal(await value(page.getByTestId("today-allowance")), 510);
  assert.equal(await value(page.getByTestId("today-by-now")), 319);
  await page.getByTestId("range-1").check();
  assert.equal(await page.getByTestId("verdict").getAttribute("data-state"), "bad");
  assert.match(await page.getByTestId("verdict").textContent(), /Degraded to level 2/);
  await turn(page, "routes");
  assert.deepEqual(await page.locator("[data-leaks=true]").evaluateAll((all) => all.map((r) => r.dataset.route)), ["POST /v1/scores"]);
  assert.equal(await page.getByTestId("leak").count(), 1);
}));

test("a Redis of one's own has no plan, and no price", watched(async ({ open }) => {
  const page = await open("/ops/");
  await page.route("**/v1/ops/usage?**", async (route) => {
    const told = await (await route.fetch()).json();
    Object.assign(told, { plan: { commands: 0, share: 0 }, bill: { ...told.bill, dollars: 0, dollars_without_free_tiers: 0, plans: {}, lines: [] } });
    delete told.budget;
    delete told.what_if;
    await route.fulfill({ json: told });
  });
  await page.getByTestId("token").fill(token);
  await page.getByTestId("sign-in").click();
  await page.getByTestId("month-projected").waitFor();
  assert.equal(await page.getByTestId("month").getAttribute("data-state"), "good");
  assert.equal(await page.getByTestId("today").getAttribute("data-state"), "good");
  assert.equal(await page.getByTestId("bill").getAttribute("data-state"), "none");
  for (const id of ["month-share", "plan", "today-allowance", "dollars", "what-if"]) assert.equal(await page.getByTestId(id).count(), 0, id);
  assert.doesNotMatch(await page.locator("main").textContent(), /NaN|Infinity| plan/);
}));

test("an API that is away says so, and what was shown stays", watched(async ({ open }) => {
  const page = await signedIn(open, { allow: [/ERR_FAILED/] });
  const shown = await value(page.getByTestId("month-so-far"));
  await page.route("**/v1/**", (route) => route.abort());
  await page.getByTestId("refresh").click();
  await told(page, "is not responding");
  assert.equal(await value(page.getByTestId("month-so-far")), shown);
  await page.getByTestId("outdated").filter({ hasText: "All figures below are from 20" }).waitFor();
  const edge = () => page.getByTestId("health").evaluate((card) => getComputedStyle(card).borderBlockStartColor);
  const grey = await edge();
  for (const id of ["state", "schedules", "bans"]) assert.equal(await page.locator(`[data-testid=${id}][data-old]`).count(), 1, id);
  for (const id of ["routes", "overview"]) {
    await turn(page, id);
    assert.deepEqual(await violations(page), [], id);
  }
  await page.unroute("**/v1/**");
  await page.getByTestId("refresh").click();
  await told(page, "Refreshed.");
  assert.notEqual(await edge(), grey);
  assert.equal(await page.locator("[data-old]").count(), 0);
  assert.equal(await page.getByTestId("outdated").textContent(), "");
}));

test("without Redis the page says what health does", watched(async ({ open }) => {
  const page = await open("/ops/", { allow: [/503/] });
  const away = (detail) => ({ status: 503, contentType: "application/problem+json", body: JSON.stringify({ type: "about:blank", code: "temporarily-unavailable", title: "The leaderboards are not available right now", status: 503, detail }) });
  await page.route("**/v1/ops/usage?**", (route) => route.fulfill(away("Redis does not answer")));
  await page.route("**/v1/ops/health", (route) => route.fulfill(away("the plan's 500000 commands are used up")));
  await page.getByTestId("token").fill(token);
  await page.getByTestId("sign-in").click();
  await page.getByTestId("error").filter({ hasText: "500000 commands are used up" }).waitFor();
}));

test("without a database the log is not asked for", watched(async ({ open }) => {
  const page = await open("/ops/");
  await page.route("**/v1/ops/health", (route) => route.fulfill({ json: { redis: "ok", database: "none" } }));
  await page.getByTestId("token").fill(token);
  await page.getByTestId("sign-in").click();
  await page.getByTestId("log").getByText("No database").waitFor({ state: "attached" });
  await page.getByTestId("today-players").getByText("Needs a database.").waitFor();
  assert.ok(!page.watch.api().some((r) => /\/ops\/(log|statistics)/.test(r)));
}));

test("what one act did is one row of the log", watched(async ({ open }) => {
  const page = await open("/ops/");
  const entry = (action, date, at) => ({ id: date ?? 0, at: `2026-11-21T12:00:${at}Z`, actor: "operator ada", action, player: "user_b", ...(date && { mode: "daily_frame", date }) });
  await page.route("**/v1/ops/log?**", (route) => route.fulfill({ json: { entries: [entry("ban", undefined, "09"), entry("delete_result", "2026-11-21", "08"), entry("delete_result", "2026-11-20", "08"), { ...entry("delete_result", "2026-11-19", "07"), player: "user_c" }] } }));
  await page.getByTestId("token").fill(token);
  await page.getByTestId("sign-in").click();
  await turn(page, "log");
  await page.getByTestId("log").locator("tbody tr").nth(2).waitFor();
  assert.deepEqual(await page.getByTestId("log").locator("tbody tr").evaluateAll((all) => all.map((r) => r.cells[2].textContent)), ["ban", "delete result × 2", "delete result"]);
  await page.getByTestId("log").locator("summary").click();
  await page.getByTestId("log").getByText("mode daily_frame, date 2026-11-20").waitFor();
}));

for (const colorScheme of ["light", "dark"]) {
  test(`nothing stands in anybody's way, ${colorScheme}`, watched(async ({ open }) => {
    const page = await open("/ops/", { colorScheme });
    const clean = async (what) => assert.deepEqual(await violations(page), [], what);
    await clean("signed out");
    await page.getByTestId("token").fill(token);
    await page.getByTestId("sign-in").click();
    await ready(page);
    for (const id of screens) {
      await turn(page, id);
      await clean(id);
    }
    await turn(page, "players");
    await page.getByTestId("player-id").fill("user_1");
    await page.getByTestId("player-look").click();
    await page.getByTestId("erase").waitFor();
    await clean("a player");
    await page.getByTestId("erase").click();
    await clean("asked to confirm");
  }));
}

test("a phone's width scrolls no sideways", watched(async ({ open }) => {
  const page = await signedIn(open, { viewport: { width: 320, height: 640 } });
  await turn(page, "players");
  await page.getByTestId("player-id").fill("user_1");
  await page.getByTestId("player-look").click();
  await page.getByTestId("erase").waitFor();
  for (const id of screens) {
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, id);
    await turn(page, id);
  }
  await turn(page, "routes");
  // A row is a card: each cell has its head beside it, and nothing is cut off.
  const cells = page.locator("[data-route] :is(th, td):not(:empty)");
  assert.ok(await cells.evaluateAll((all) => all.every((cell) => getComputedStyle(cell, "::before").content === JSON.stringify(cell.dataset.head) && cell.scrollWidth <= cell.clientWidth)));
}));

test("on a tablet no table scrolls sideways", watched(async ({ open }) => {
  const page = await open(undefined, { viewport: { width: 768, height: 1024 } });
  const at = new Date().toISOString();
  await page.route("**/v1/ops/held?*", (route) => route.fulfill({ json: { held: [{ id: "h", player: "user_with_a_rather_long_id_0123456789", name: "Kavi", mode: "daily_frame", date: "2026-11-29", submitted: 1000, at, why: "score above the hold limit of 995, twice on one day", open: false }] } }));
  await page.goto("/ops/");
  await page.getByTestId("token").fill(token);
  await page.getByTestId("sign-in").click();
  await page.getByTestId("month-so-far").waitFor();
  await ready(page);
  for (const width of [768, 1000]) {
    await page.setViewportSize({ width, height: 1024 });
    for (const id of screens) {
      await turn(page, id);
      const wider = await page.locator(".wide").evaluateAll((all) => all.filter((table) => table.scrollWidth > table.clientWidth).map((table) => table.ariaLabel));
      assert.deepEqual(wider, [], id);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, id);
    }
  }
  await turn(page, "held");
  await page.locator("[data-held] th").filter({ hasText: "user_with_a_rather_long_id" }).waitFor();
}));

test("everything is reached by keyboard alone", watched(async ({ open }) => {
  const page = await open("/ops/");
  await page.keyboard.type(token);
  await page.keyboard.press("Enter");
  await page.getByTestId("month-so-far").waitFor();
  await ready(page);
  const reached = new Set();
  const at = () => page.evaluate(() => document.activeElement?.closest("[data-testid]")?.dataset.testid ?? document.activeElement?.tagName);
  for (const next of [...screens.slice(1), "overview"]) {
    for (let i = 0, id; (id = await at()) !== "to-" + next; i++) {
      assert.ok(i < 150, `to-${next} is not reached: ${[...reached]}`);
      reached.add(id);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    await page.locator(`[data-testid=to-${next}][aria-current=page]`).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.tagName), "H1", "the title has the focus");
  }
  for (let i = 0; i < 150 && !reached.has("sign-out"); i++) { // the last of the rail
    await page.keyboard.press("Tab");
    reached.add(await at());
  }
  for (const id of ["refresh", "sign-out", "bill", "to-bans", "range-7", "csv", "days-table", "what-if-slider", "players-now", "fire-cron-daily", "maintenance-begin", "ban-player", "ban", "player-look"]) assert.ok(reached.has(id), `${id} is not reached: ${[...reached]}`);
}));

test("each section is a screen with an address", watched(async ({ open }) => {
  const page = await open("/ops/#bans");
  await page.getByTestId("token").fill(token);
  await page.getByTestId("sign-in").click();
  await page.getByTestId("ban").waitFor();
  const shown = () => page.locator("main > :not([hidden]) h2").evaluateAll((all) => all.map((h) => h.textContent));
  assert.deepEqual(await shown(), ["Bans"]);
  assert.equal(await page.locator("h1").textContent(), "Bans");
  await turn(page, "schedules");
  await page.getByTestId("fire-cron-daily").waitFor();
  await page.goBack();
  await page.getByTestId("ban").waitFor();
  assert.equal(await page.getByTestId("fire-cron-daily").isVisible(), false);
  await page.goto("/ops/#nothing-of-the-kind");
  await page.getByTestId("verdict").waitFor();
  for (const id of screens) {
    await turn(page, id);
    assert.equal(await page.locator("nav [aria-current=page]").getAttribute("data-testid"), "to-" + id);
    assert.ok((await shown()).length > 0, id);
  }
}));

test("the search for a player is a key away", watched(async ({ open }) => {
  const page = await signedIn(open);
  const isThere = () => page.evaluate(() => document.activeElement.id === "player-id" && document.activeElement.value);
  await page.keyboard.press("/");
  assert.equal(await isThere(), "");
  assert.equal(new URL(page.url()).hash, "#players");
  await page.keyboard.type("a/b");
  assert.equal(await isThere(), "a/b", "in a field a key is a letter");
  await turn(page, "maintenance");
  await page.getByTestId("maintenance-reason").fill("moving");
  await page.keyboard.press("Control+k");
  assert.equal(await isThere(), "a/b");
  await turn(page, "maintenance");
  await page.getByTestId("maintenance-begin").click();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Control+k");
  assert.notEqual(await isThere(), "a/b", "not beside a question");
  await page.keyboard.press("Escape");
  await page.getByTestId("sign-out").click();
  await page.getByTestId("token").waitFor();
  await page.keyboard.press("Control+k");
  assert.equal(await page.evaluate(() => document.activeElement.id), "token");
}));

test("a look costs what it may", watched(async ({ open }) => {
  const before = await call("GET", "/_local/usage");
  const page = await signedIn(open);
  const asked = page.watch.api().filter((r) => r.includes("/v1/ops/"));
  assert.deepEqual([...asked].sort(), ["GET /v1/ops/bans?limit=50", "GET /v1/ops/dead-letters", "GET /v1/ops/health", "GET /v1/ops/held?limit=50", "GET /v1/ops/log?limit=50", "GET /v1/ops/statistics?days=7", "GET /v1/ops/status", "GET /v1/ops/usage?days=31&by=route"]);
  const after = await call("GET", "/_local/usage");
  const cost = after.by_function.ops.commands - before.by_function.ops.commands;
  assert.ok(cost > 0 && cost <= 52, `${cost} commands`);
  assert.ok(await playerToken("user_1"));
}));

test("acts that the role does not allow are hidden", watched(async ({ open }) => {
  for (const [role, called, shows] of [["read", "read-only", {}], ["moderate", "moderator", { "ban": true }], ["administer", "administrator", { "ban": true, "maintenance-begin": true, "redrive": true, "fire-cron-daily": true }]]) {
    const page = await open("/ops/");
    await page.route("**/v1/ops/health", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), operator: { actor: "operator ada", role } } });
    });
    await page.getByTestId("token").fill(token);
    await page.getByTestId("sign-in").click();
    await page.getByTestId("who").filter({ hasText: `Signed in as ada (${called})` }).waitFor();
    await ready(page);
    for (const [id, screen] of [["ban", "bans"], ["maintenance-begin", "maintenance"], ["redrive", "dead-letters"], ["fire-cron-daily", "schedules"]]) {
      await turn(page, screen);
      assert.equal(await page.getByTestId(id).isVisible(), !!shows[id], `${id} for ${role}`);
      assert.deepEqual(await violations(page), [], screen);
    }
    await page.getByTestId("sign-out").click();
    assert.equal(await page.locator("[data-role]").count(), 0);
  }
}));

test("a player is found by name, by keyboard, as by id", watched(async ({ open }) => {
  await call("POST", "/_local/schedules/cron-save");
  const page = await signedIn(open, { viewport: { width: 320, height: 640 } });
  await turn(page, "players");
  const field = page.getByTestId("player-id");
  const find = async (text) => {
    await field.fill(text);
    const before = page.watch.requests.length;
    await field.press("Enter");
    return before;
  };
  const before = await find("player 1");
  await told(page, "11 players found.");
  assert.deepEqual(page.watch.api(before), ["GET /v1/ops/players?name=player+1"]);
  const hits = page.locator("[data-hit]");
  assert.deepEqual(await hits.evaluateAll((all) => all.map((b) => b.dataset.hit)), ["user_1", ...Array.from({ length: 10 }, (_, i) => `user_1${i}`)]);
  assert.match(await hits.first().textContent(), /^PPlayer 1user_1last played \d{4}-\d\d-\d\d$/);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press("Tab"); // the button Look up
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.hit), "user_1");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await told(page, "Showing user_10.");
  assert.equal(await page.getByTestId("player-name").textContent(), "Player 10");
  assert.equal(await field.inputValue(), "user_10");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.testid), "player");
  await page.getByTestId("erase").waitFor();

  await find("<img");
  await told(page, "1 player found.");
  assert.match(await hits.textContent(), /^<<img src=x/, "a name is text");
  const both = await find("player"); // nobody's id, but the beginning of names
  await told(page, "players found.");
  assert.deepEqual(page.watch.api(both), ["GET /v1/ops/players/player", "GET /v1/ops/players?name=player"]);
  await find("100%");
  await told(page, "No players found.");
  await page.getByTestId("no-hits").getByText("starts with “100%”").waitFor();
}));
