// Leagues and badges on the page: the game is Framedle's.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { violations } from "./axe.mjs";
import { call, eventually, setClock, signIn, submit, token, watched } from "./support.mjs";

const daily = (player, score) => ({ mode: "daily_frame", player, score });
const day = 86_400_000; // ms
const run = (schedule) => call("POST", "/_local/schedules/" + schedule);
let now = Date.now();

const tick = async (ms) => {
  now += ms;
  await setClock(new Date(now).toISOString());
};

before(async () => {
  // Noon of a Wednesday to come, so that a week is whole, whenever the test runs.
  const at = new Date(now);
  now = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + ((10 - at.getUTCDay()) % 7) + 7, 12);
  await tick(0);
});

const league = (player) => token(player).then((of) => call("GET", "/v1/leagues/me", undefined, { Authorization: "Bearer " + of }));

test("who has not played is told how to join, and who is signed out to sign in", watched(async ({ open }) => {
  const page = await open("/?tab=league");
  await page.getByTestId("signed-out").filter({ hasText: "Sign in to see your league" }).waitFor();
  await signIn(page, "newcomer");
  await page.getByTestId("league-note").filter({ hasText: "Earn XP to join" }).waitFor();
  assert.equal(await page.getByTestId("league-tier").textContent(), "Bronze league");
  assert.equal(await page.locator(".ladder li").count(), 10);
  assert.equal(await page.locator(".ladder [aria-current]").textContent(), "Bronze");
  assert.match(await page.getByTestId("league-ends").textContent(), /^Ends in \d+ days/);
  assert.equal(await page.getByTestId("board").isVisible(), false);
  assert.deepEqual(await violations(page), []);
}));

test("a cohort stands between its zones, the own row marked, and the week's end moves the tiers", watched(async ({ open }) => {
  await submit(["ana", "ben", "cy", "dee", "eve", "fay", "gus", "hal", "ida", "jon"].map((name, i) => daily("user_" + name, [1000, 800, 600, 400, 200, 100][i % 6])));
  for (const name of ["ana", "ben", "cy", "dee", "eve", "fay", "gus", "hal", "ida", "jon"]) {
    await tick(1000);
    await eventually(async () => { await tick(31_000); return (await league("user_" + name)).state; }, (state) => state === "playing");
  }
  const page = await open("/?tab=league");
  await signIn(page, "ana");
  await page.getByTestId("league-board").waitFor();
  const shown = await page.locator("[data-testid=league-board] tbody").evaluateAll((all) => all.map((body) => [body.dataset.zone, body.querySelectorAll("[data-player]").length]));
  const { promote, relegate, entries } = await league("user_ana");
  assert.deepEqual(shown, [["promotion", promote], ["stay", entries.length - promote - relegate], ["relegation", relegate]].filter(([, n]) => n));
  assert.deepEqual(await page.locator("[data-testid=league-board] [data-player]").evaluateAll((all) => all.map((row) => row.dataset.player)), entries.map((entry) => entry.player));
  assert.match(await page.locator("[data-testid=league-board] tr[aria-current=true]").textContent(), /user_ana|ana/);
  const colours = await page.locator("[data-testid=league-board] .zone th").evaluateAll((all) => all.map((head) => getComputedStyle(head).color));
  assert.equal(new Set(colours).size, shown.length, "each zone's head has a colour of its own: " + colours);
  assert.deepEqual(await violations(page), []);
  await page.locator("[data-testid=league-board] [data-player]").nth(1).getByRole("button").click();
  await page.getByTestId("card").waitFor();
  await page.keyboard.press("Escape");

  await tick(7 * day);
  for (const schedule of ["cron-daily", "cron-weekly"]) await run(schedule);
  const after = await open("/?tab=league");
  await signIn(after, "ana");
  await after.getByTestId("league-results").waitFor();
  assert.match(await after.locator("[data-week]").first().textContent(), /Promoted to .*2 of 10 · .* XP/); // gus has as much, and the higher id
}));

test("badges are on a card, with how many have each", watched(async ({ open }) => {
  for (let n = 0; n < 7; n++) {
    await submit([daily("user_streak", 1000), daily("user_other", 100)]);
    await tick(day);
    await run("cron-daily");
  }
  await submit([daily("user_streak", 1000), daily("user_other", 100)]);
  const page = await open("/");
  await page.locator("[data-player=user_streak]").getByRole("button").click();
  const badges = page.getByTestId("card").getByTestId("badges");
  await badges.waitFor();
  const ids = await badges.locator("[data-badge]").evaluateAll((all) => all.map((badge) => badge.dataset.badge));
  assert.deepEqual([...ids].sort(), ["first_place", "streak_7"]);
  assert.match(await badges.textContent(), /A week in a row/);
  assert.match(await badges.textContent(), /% of players/);
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press("Escape");
  await page.locator("[data-player=user_other]").getByRole("button").click();
  await page.getByTestId("card-rank").waitFor();
}));

test("a league that cannot be had is said, and asked for again", watched(async ({ open }) => {
  const page = await open("/", { allow: [/status of 503/, /status of 500/], still: true });
  await signIn(page, "ana");
  await page.route("**/v1/leagues/me", (route) => route.fulfill({ status: 503, contentType: "application/problem+json", headers: { "Retry-After": "60" }, body: JSON.stringify({ type: "about:blank", status: 503, code: "temporarily-unavailable", detail: "Redis cannot be reached" }) }));
  await page.getByTestId("tab-league").click();
  await page.getByTestId("league-retry").waitFor();
  await page.unroute("**/v1/leagues/me");
  await page.getByTestId("league-retry").click();
  await eventually(() => page.getByTestId("league-tier").textContent(), (text) => / league$/.test(text));
  assert.equal(await page.getByTestId("league-retry").isVisible(), false);
}));
