// Boards that rank by several values: the game is typing.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { violations } from "./axe.mjs";
import { eventually, signIn, submit, url, watched } from "./support.mjs";

const sent = (player, wpm, accuracy) => ({ mode: "time_30", player, values: { wpm, accuracy } });
const board = "/?mode=time_30";

before(() => submit([sent("user_a", 92.5, 98.2), sent("user_b", 92.5, 97), sent("user_c", 60, 100)]));

const cells = (page) => page.locator("tbody .score").allInnerTexts();
const shown = [["92.50", "98.20"], ["92.50", "97.00"], ["60.00", "100.00"]];
const asLines = (texts) => texts.map((text) => text.split(/\s+/));

test("the page shows values in place of the packed number, under their names", watched(async ({ open }) => {
  const page = await open(board);
  await page.getByTestId("row").nth(2).waitFor();
  await eventually(async () => asLines(await cells(page)), (texts) => JSON.stringify(texts) === JSON.stringify(shown));
  assert.equal(await page.locator("thead .score").textContent(), "wpm · accuracy");
  assert.deepEqual(await violations(page), []);
  await page.getByTestId("row").first().getByRole("button").click();
  await page.getByTestId("card-rank").filter({ hasText: "1 of 3" }).waitFor();
  assert.match(await page.getByTestId("card").innerText(), /wpm\s+92.5\s+accuracy\s+98.2|92.5\s+wpm\s+98.2\s+accuracy/);
  await page.keyboard.press("Escape");
  await page.waitForURL((address) => !address.searchParams.has("player")); // the way back ends the card's address
  await page.getByTestId("mode").selectOption("xp");
  await page.locator("thead .score").filter({ hasText: "Score" }).waitFor({ state: "attached" });
}));

test("nothing of a value is cut off on a phone", watched(async ({ open }) => {
  const page = await open(board, { viewport: { width: 320, height: 640 } });
  await eventually(async () => asLines(await cells(page)), (texts) => JSON.stringify(texts) === JSON.stringify(shown));
  const cut = await page.locator("thead .score, tbody .score").evaluateAll((all) => all.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent));
  assert.deepEqual(cut, []);
  const heights = await page.getByTestId("row").evaluateAll((all) => all.map((row) => row.offsetHeight));
  assert.ok(heights.every((height) => height <= 120), String(heights));
}));

test("a test is sent by its values, and the own row has them at once", watched(async ({ open }) => {
  const page = await open(board);
  await signIn(page, "Dora");
  await page.getByTestId("play-wpm").fill("75.25");
  await page.getByTestId("play-accuracy").fill("99");
  await page.getByTestId("play").click();
  await page.getByTestId("my-rank").filter({ hasText: "Rank #3" }).waitFor();
  const own = page.locator("tbody tr[aria-current=true] .score");
  assert.deepEqual((await own.innerText()).split(/\s+/), ["75.25", "99.00"]);
  await page.getByTestId("play-wpm").fill("70");
  await page.getByTestId("play").click();
  await page.getByTestId("play-said").filter({ hasText: "your 75.25 wpm, 99 accuracy still counts." }).waitFor();
  await page.getByTestId("play-wpm").fill("75.25");
  await page.getByTestId("play-accuracy").fill("99.5");
  await page.getByTestId("play").click();
  await eventually(async () => (await own.innerText()).split(/\s+/).join(), (text) => text === "75.25,99.50");
}));

test("the widget shows them too, without asking what game it is", watched(async ({ open }) => {
  const page = await open(board);
  await page.getByTestId("row").first().waitFor();
  await page.evaluate(async (url) => {
    await import(url + "/leaderboards.js");
    const widget = document.createElement("framedle-leaderboard");
    for (const [name, value] of Object.entries({ api: url, mode: "time_30", label: "30 seconds" })) widget.setAttribute(name, value);
    document.body.replaceChildren(widget);
  }, url);
  const asked = page.watch.requests.length;
  await eventually(async () => asLines(await cells(page))[0]?.join(), (text) => text === "92.5,98.2");
  assert.equal(await page.locator("thead .score").textContent(), "wpm · accuracy");
  assert.ok(page.watch.api(asked).every((request) => request.includes("/leaderboards/")));
}));
