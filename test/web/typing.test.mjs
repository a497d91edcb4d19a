// The typing game, typed: tests alone and races, over the product's own page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { violations } from "./axe.mjs";
import { call, eventually, signIn, submit, token, watched } from "./support.mjs";

const seconds = 5; // of the game's only mode
// Uneven, and the same in each run: by chance alone one in some hundreds would be as even as a machine.
const rhythm = [0.1, 0.9, 0.4, 0.7, 0.2, 1, 0];
let beat = 0;
const between = (least, most) => least + rhythm[beat++ % rhythm.length] * (most - least);
const pause = (page, ms) => page.waitForTimeout(ms); // of fingers: nothing is waited for
const row = (page, player) => page.locator(`tbody [data-testid=row][data-player=${player}]`);

/** Presses keys as people do: no two alike. */
async function type(page, text) {
  for (const key of text) {
    await page.keyboard.down(key);
    await pause(page, between(40, 100));
    await page.keyboard.up(key);
    await pause(page, between(20, 110));
  }
}

async function enter(open, name, path = "/play/typing", options) {
  const page = await open(path, options);
  await signIn(page, name);
  await page.locator("[data-testid=start]:enabled").waitFor();
  return page;
}

/** Starts a test; the text that is to be typed. */
async function begin(page) {
  await page.getByTestId("start").focus();
  await page.keyboard.press("Enter");
  const field = page.getByRole("region", { name: "Test" }).getByTestId("typed");
  await field.and(page.locator(":focus")).waitFor();
  await field.evaluate((field) => {
    window.downs = 0;
    field.addEventListener("keydown", ({ key, repeat }) => (window.downs += key.length === 1 && !repeat));
  });
  return page.getByRole("region", { name: "Test" }).getByTestId("text").textContent();
}

test("a mode is called as the game file calls it in the reader's language", watched(async ({ open }) => {
  for (const [locale, title] of [["de-AT", "Fünf Sekunden"], ["pt-PT", "Cinco segundos"], ["fr-FR", "5 seconds"]]) {
    const page = await open("/play/typing/", { locale });
    await page.getByText(title, { exact: true }).first().waitFor({ state: "attached" });
  }
}));

test("the page leads to where scores are typed, and asks nobody for a number", watched(async ({ open }) => {
  const page = await open("/");
  await page.getByTestId("play-typing").waitFor();
  await signIn(page, "Ada");
  assert.equal(await page.getByTestId("play").isVisible(), false);
  await page.getByTestId("play-typing").click();
  await page.getByTestId("start").waitFor();
  assert.equal(new URL(page.url()).pathname, "/play/typing/");
  assert.equal(new URL(page.url()).searchParams.get("mode"), "short");
  await page.getByTestId("to-boards").click();
  await page.getByTestId("tab-day").waitFor();
  assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, "/?mode=short");
}));

test("a test is typed, counts, and stands on the board beside it", watched(async ({ open }) => {
  const page = await enter(open, "Ana");
  assert.equal(new URL(page.url()).pathname, "/play/typing/");
  const text = await begin(page);
  await type(page, text.slice(0, 4) + "#");
  await page.keyboard.press("Backspace");
  await type(page, text.slice(4, 11));
  await page.getByTestId("said").filter({ hasText: /^Result saved\.$/ }).waitFor();
  const typed = await page.getByRole("region", { name: "Test" }).getByTestId("typed").inputValue();
  const right = [...typed].filter((letter, i) => letter === text[i]).length;
  const wpm = (right / 5 / (seconds / 60)).toFixed(2);
  const accuracy = ((100 * right) / (await page.evaluate(() => window.downs))).toFixed(2);
  await page.getByTestId("result").filter({ hasText: "coins" }).waitFor(); // it is shown after it is said
  const result = await page.getByTestId("result").innerText();
  for (const shown of [wpm + " wpm", accuracy + " % accuracy", "#1 of 1", "+2 coins"]) assert.ok(result.includes(shown), `${shown} in ${result}`);
  await row(page, "user_ana").filter({ hasText: wpm }).filter({ hasText: accuracy }).waitFor();
  assert.ok((await page.locator("thead .score").boundingBox()).width > 40, "the board says what its two numbers are");

  // From elsewhere, without being asked for.
  await submit([{ mode: "short", player: "user_elsewhere", values: { wpm: 120, accuracy: 99 } }]);
  await row(page, "user_elsewhere").filter({ hasText: "120.00" }).waitFor();
  await page.getByTestId("my-rank").filter({ hasText: "#2" }).waitFor();
}));

test("a mode whose results would not be saved is not started", watched(async ({ open }) => {
  const page = await open();
  await page.route("**/v1/game", async (route) => {
    const response = await route.fetch();
    const game = await response.json();
    await route.fulfill({ response, json: { ...game, modes: game.modes.map((mode) => ({ ...mode, unavailable: true })) } });
  });
  await page.goto("/play/typing");
  await signIn(page, "Queued");
  await page.getByTestId("said").filter({ hasText: "isn’t available here" }).waitFor();
  assert.equal(await page.getByTestId("start").isEnabled(), false);
  for (const button of ["race", "race-queue"]) assert.equal(await page.getByTestId(button).isEnabled(), false, button);
}));

test("what types like a machine is held", watched(async ({ open }) => {
  const page = await enter(open, "Robot");
  const text = (await begin(page)).slice(0, 25);
  // A script of the page itself: down and up at once, however busy the machine is.
  await page.getByRole("region", { name: "Test" }).getByTestId("typed").evaluate(async (field, text) => {
    for (const key of text) {
      field.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      field.value += key;
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
      field.dispatchEvent(new KeyboardEvent("keyup", { key, bubbles: true }));
      await new Promise((done) => setTimeout(done, 60));
    }
  }, text);
  await page.getByTestId("said").filter({ hasText: "Under review" }).waitFor();
  assert.equal(await row(page, "user_robot").count(), 0);
}));

for (const colorScheme of ["light", "dark"]) {
  test(`nothing bars anybody from typing, ${colorScheme}`, watched(async ({ open }) => {
    const page = await open("/play/typing/", { colorScheme, viewport: { width: 320, height: 640 } });
    await page.getByTestId("tab-short").waitFor();
    assert.deepEqual(await violations(page), [], "signed out");
    await signIn(page, "Reader " + colorScheme);
    await page.locator("[data-testid=start]:enabled").waitFor();
    await type(page, (await begin(page)).slice(0, 5) + "#");
    assert.deepEqual(await violations(page), [], "typing");
    await page.getByTestId("result").getByText("% accuracy").waitFor();
    assert.deepEqual(await violations(page), [], "done");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the page");
  }));
}

const racing = (page) => page.getByRole("region", { name: "Race" });
const places = (page) => racing(page).locator("[data-place]").evaluateAll((all) => all.map((seat) => [seat.dataset.player, seat.dataset.place]));

/** Five in a race that the first makes and the others join by its link; each has the text. */
async function five(open, prefix) {
  const first = await enter(open, prefix + 0);
  await first.getByTestId("racers").selectOption("5");
  await first.getByTestId("race").click();
  await first.getByTestId("race-said").filter({ hasText: "1 of 5 joined" }).waitFor();
  const link = await first.getByTestId("race-link").getAttribute("href");
  const pages = [first];
  for (let i = 1; i < 5; i++) {
    const page = await enter(open, prefix + i, link);
    await page.getByTestId("race-join").click();
    await racing(page).getByRole("listitem").nth(i).waitFor();
    pages.push(page);
  }
  await Promise.all(pages.map((page) => racing(page).locator("[data-testid=typed]:focus").waitFor()));
  return { pages, text: await racing(first).getByTestId("text").textContent() };
}

async function over(pages) {
  await Promise.all(pages.map((page) => page.getByTestId("race-said").filter({ hasText: "The race is over" }).waitFor()));
  const [result, ...others] = await Promise.all(pages.map(places));
  for (const other of others) assert.deepEqual(other, result);
  assert.equal(result.length, 5);
  return result;
}

test("a link to a race asks before it joins", watched(async ({ open }) => {
  const first = await enter(open, "host");
  await first.getByTestId("race").click();
  await first.getByTestId("race-said").filter({ hasText: "1 of 2" }).waitFor();
  const link = await first.getByTestId("race-link").getAttribute("href");
  const joins = [];
  const guest = await enter(open, "guest", link);
  guest.on("request", (request) => /\/join$/.test(request.url()) && joins.push(request.url()));
  await guest.reload();
  await guest.getByTestId("race-offer").filter({ hasText: "invited to a race" }).waitFor();
  assert.deepEqual(await violations(guest), []);
  assert.deepEqual(joins, []);
  await guest.getByTestId("race-decline").click();
  assert.equal(await guest.getByTestId("race-offer").isVisible(), false);
  assert.deepEqual(joins, []);
  await first.getByTestId("race-said").filter({ hasText: "1 of 2" }).waitFor();

  await guest.reload();
  await guest.getByTestId("race-join").click();
  await racing(guest).getByRole("listitem").nth(1).waitFor();
  assert.equal(joins.length, 1);
  await guest.reload(); // whoever has a seat keeps it
  await racing(guest).getByRole("listitem").nth(1).waitFor();
  assert.equal(await guest.getByTestId("race-offer").isVisible(), false);
  assert.equal(joins.length, 1);
}));

test("who races is called by name before any score", watched(async ({ open }) => {
  const first = await enter(open, "Zita");
  await first.getByTestId("race").click();
  await first.getByTestId("race-said").filter({ hasText: "1 of 2" }).waitFor();
  const link = await first.getByTestId("race-link").getAttribute("href");
  await call("POST", `/v1/races/${new URL(link).searchParams.get("race")}/join`, {}, { Authorization: "Bearer " + (await token("user_q7", { name: "Yuri Young", country: "JP" })) });
  const bar = (player) => racing(first).locator(`[data-player=${player}]`);
  await bar("user_q7").filter({ hasText: "Yuri Young" }).getByRole("img", { name: "Japan" }).waitFor();
  await bar("user_zita").filter({ hasText: "Zita" }).waitFor();
  await racing(first).locator("[data-testid=typed]:focus").waitFor();
  await first.getByTestId("race-leave").click();
}));

test("a race of five ends the same for all", watched(async ({ open }) => {
  const { pages, text } = await five(open, "runner");
  // The later ones type less.
  await Promise.all(pages.map((page, i) => type(page, text.slice(0, 12 - 2 * i))));
  const result = await over(pages);
  assert.deepEqual(result.map(([player]) => player).sort(), [0, 1, 2, 3, 4].map((i) => "user_runner" + i));
  assert.equal(result[0][1], "1");
  assert.deepEqual(await violations(pages[0]), []);
}));

test("a race goes on without who closes the page", watched(async ({ open }) => {
  const { pages, text } = await five(open, "walker");
  const gone = pages.pop();
  await Promise.all([...pages.map((page) => type(page, text.slice(0, 8))), type(gone, text.slice(0, 2)).then(() => gone.close())]);
  assert.deepEqual((await over(pages)).at(-1), ["user_walker4", "5"]);
}));
