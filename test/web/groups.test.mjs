// Boards of groups: the game has groups that it names, a mode that ranks them, and one
// that is computed from what players do.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { violations } from "./axe.mjs";
import { eventually, rows, signIn, submit, watched } from "./support.mjs";

const raid = (player, score, ...groups) => ({ mode: "raid", player, score, groups });

before(() => submit([raid("user_a", 900, "north"), raid("user_b", 700, "south"), raid("user_c", 500, "south"), raid("user_d", 50, "west")]));

const query = (page) => new URL(page.url()).search;

test("groups stand against each other, and a group's row leads to its board", watched(async ({ open }) => {
  const page = await open("/");
  await page.getByTestId("who").selectOption("group");
  await eventually(() => rows(page), (r) => r.join() === "south,north,west");
  assert.equal(query(page), "?mode=raid&tab=group");
  assert.match(await page.locator("[data-testid=board] caption").textContent(), /^Raid, groups, /);
  assert.deepEqual(await violations(page), []);
  await page.getByTestId("row").first().getByRole("button").click();
  await eventually(() => rows(page), (r) => r.join() === "user_b,user_c");
  assert.equal(query(page), "?mode=raid&tab=group&group=south");
  assert.match(await page.locator("[data-testid=board] caption").textContent(), /^Raid, south, /);
  await page.getByTestId("all-groups").click();
  await eventually(() => rows(page), (r) => r.join() === "south,north,west");
  await page.goBack();
  await eventually(() => rows(page), (r) => r.join() === "user_b,user_c");
}));

test("any group is found by its id, and what is none is refused in place", watched(async ({ open }) => {
  const page = await open("/?mode=raid&tab=group&group=north", { still: true });
  await eventually(() => rows(page), (r) => r.join() === "user_a");
  assert.deepEqual(await page.getByTestId("groups").locator("option").evaluateAll((all) => all.map((option) => option.value)), ["", "north", "south", "?"]);
  await page.getByTestId("groups").selectOption("?");
  const asked = page.watch.requests.length;
  await page.getByTestId("group").fill("no such group!");
  await page.getByTestId("group").press("Enter");
  assert.equal(await page.getByTestId("group").evaluate((input) => input.validity.patternMismatch), true);
  assert.deepEqual(page.watch.api(asked), []);
  await page.getByTestId("group").fill("west");
  await page.getByTestId("group").press("Enter");
  await eventually(() => rows(page), (r) => r.join() === "user_d");
  await page.getByTestId("tab-week").click();
  await eventually(() => query(page), (q) => q === "?mode=raid&tab=group&period=week&group=west");
  await eventually(() => rows(page), (r) => r.join() === "user_d");
  await page.getByTestId("group").fill("nobody");
  await page.getByTestId("group").press("Enter");
  await page.getByTestId("note").filter({ hasText: "No scores yet" }).waitFor();
}));

test("where groups are not ranked the first that the game names is shown, and nobody sends computed scores", watched(async ({ open }) => {
  const page = await open("/?mode=talk&tab=group");
  await page.getByTestId("note").filter({ hasText: "No scores yet" }).waitFor();
  assert.equal(await page.getByTestId("groups").inputValue(), "north");
  assert.equal(await page.getByTestId("all-groups").isVisible(), false);
  await signIn(page, "Ada");
  await page.getByTestId("tab-day").click();
  await page.getByTestId("no-rank").waitFor();
  assert.equal(await page.getByTestId("play").isVisible(), false);
  await page.getByTestId("mode").selectOption("raid");
  await page.getByTestId("play").waitFor();
}));

test("modes without groups offer none", watched(async ({ open }) => {
  const page = await open("/?mode=solo");
  await page.getByTestId("note").waitFor();
  await page.getByTestId("row").or(page.getByTestId("note")).first().waitFor();
  assert.equal(await page.getByTestId("who").isVisible(), false);
  // A link to what there is not is asked for beside the game, and leads to the day.
  const lost = await open("/?mode=solo&tab=group&group=north", { allow: [/status of 400/, /has no boards by group/] });
  await lost.locator("[data-testid=tab-day][aria-selected=true]").waitFor();
}));

test("modes that add up the last days have boards of 7 and 30 days", watched(async ({ open }) => {
  const page = await open("/?mode=talk", { still: true });
  await page.getByTestId("tab-last7").click();
  await page.getByTestId("note").filter({ hasText: "No scores yet" }).waitFor();
  assert.equal(query(page), "?mode=talk&tab=last7");
  assert.match(await page.locator("[data-testid=board] caption").textContent(), /^Talk, 7 days/i);
  assert.ok(page.watch.api().some((line) => line.startsWith("GET /v1/leaderboards/talk?period=last7&")));
  assert.equal(await page.getByTestId("period-before").isVisible(), false);
  await page.getByTestId("who").selectOption("group");
  await eventually(() => query(page), (q) => q === "?mode=talk&tab=group&period=last7");
  await page.getByTestId("tab-last30").click();
  await eventually(() => page.watch.api(), (lines) => lines.some((line) => /talk\?period=last30&scope=group%3Anorth/.test(line)));
  assert.deepEqual(await violations(page), []);
  // Others have none.
  await page.getByTestId("mode").selectOption("raid");
  await page.locator("[data-testid=tab-day][aria-selected=true]").waitFor();
  assert.equal(await page.getByTestId("tab-last7").count(), 0);
  assert.equal(query(page).includes("last"), false);
}));

test("a mode that is computed says how its points come about, in each language", watched(async ({ open }) => {
  const said = async (locale, mode) => {
    const page = await open(`/?mode=${mode}`, { locale });
    const points = page.getByTestId("points");
    await points.locator("summary").click();
    assert.deepEqual(await violations(page), []);
    return points.innerText();
  };
  const talk = await said("en-US", "talk");
  assert.match(talk, /^How points work/);
  assert.match(talk, /Sent messages\s+\+0\.5 each\s+up to 60 a day/);
  assert.match(talk, /All time: points keep 90% of their weight after every 7 days\./);
  assert.doesNotMatch(talk, /multiply/);
  assert.match(await said("de-DE", "talk"), /Gesendete Nachrichten\s+je \+0,5/);
  const all = await said("en-US", "all");
  assert.match(all, /The points of Talk and Help, added up\./);
  assert.match(all, /up to ×1\.5 after 30 days\./);
  const heads = new Set();
  for (const locale of ["en", "de", "es", "fr", "pt-BR", "ja", "ar"]) {
    const text = await said(locale, "all");
    heads.add(text.split("\n")[0]);
    assert.match(text, /Talk/);
  }
  assert.equal(heads.size, 7, [...heads]);
  const raid = await open("/?mode=raid");
  await raid.getByTestId("row").first().waitFor();
  assert.equal(await raid.getByTestId("points").isVisible(), false);
}));
