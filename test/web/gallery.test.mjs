// The gallery: every state of the elements, and the editor of their theme.
import assert from "node:assert/strict";
import { test } from "node:test";
import { violations } from "./axe.mjs";
import { eventually, watched } from "./support.mjs";

const wrong = [/^console: Leaderboard: There is no mode/]; // the state of what is set up wrongly says so

const state = (page, title) => page.locator(`[data-state="${title}"]`);

test("each state is what it says, without an API", watched(async ({ open }) => {
  const page = await open("/gallery/", { still: true, allow: wrong });
  const says = async (title, testid, text) => state(page, title).getByTestId(testid).filter({ hasText: text }).first().waitFor();
  await says("Signed in", "my-rank", "Rank #4");
  await says("Own row further down", "find-me", "Show my place");
  await eventually(() => state(page, "Own row further down").getByTestId("near").count(), (n) => n === 2);
  await says("Empty", "note", "No scores yet.");
  await says("Final", "updated", "Final standings");
  await says("Not archived", "note", "Past leaderboards aren’t available.");
  await says("Not on the board yet", "no-rank", "Not on the board yet");
  await says("Stale", "note", "Showing the last known standings.");
  await says("Too many requests", "error", "Trying again at");
  await says("Maintenance", "error", "Scores are paused");
  await says("Set up wrongly", "error", "This board isn’t available.");
  await says("Unreachable", "error", "Can’t reach the leaderboard.");
  await says("Rank", "my-rank", "Rank #4");
  assert.equal(await state(page, "Loading").locator(".skeleton").count(), 10);
  await eventually(() => state(page, "Podium and heading").locator("tbody").evaluate((body) => getComputedStyle(body).display), (display) => display === "grid");
  await state(page, "Board").getByTestId("row").first().getByRole("button").click();
  await page.getByTestId("card-rank").filter({ hasText: "1 of 4,812" }).waitFor();
  await page.keyboard.press("Escape");
  assert.deepEqual(page.watch.api(), []);
}));

for (const colorScheme of ["light", "dark"]) {
  test(`nothing in the gallery bars anybody, ${colorScheme}`, watched(async ({ open }) => {
    const page = await open("/gallery/", { still: true, allow: wrong, colorScheme, viewport: { width: 320, height: 800 } });
    await state(page, "Set up wrongly").getByTestId("error").filter({ hasText: /./ }).waitFor();
    assert.deepEqual(await violations(page), []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "it is wider than a phone");
  }));
}

test("names have their room in a narrow column, also beside a mark", watched(async ({ open }) => {
  const page = await open("/gallery/", { still: true, allow: wrong });
  const row = state(page, "Narrow").getByTestId("row").first();
  await row.waitFor();
  const widths = await state(page, "Narrow").locator("tbody .player").evaluateAll((all) => all.map((cell) => cell.offsetWidth));
  assert.ok(widths.every((width) => width >= 140), String(widths));
}));

test("ranks of four digits have their room, and so have names without pictures", watched(async ({ open }) => {
  const page = await open("/gallery/", { still: true, allow: wrong });
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    const near = state(page, "Own row further down").getByTestId("near").first();
    await near.waitFor();
    const [rank, picture] = await near.evaluate((row) => [row.querySelector(".rank span"), row.querySelector(".picture")].map((e) => {
      const range = document.createRange();
      range.selectNodeContents(e);
      return range.getBoundingClientRect().toJSON();
    }));
    assert.ok(rank.right <= picture.left, `${rank.right} over ${picture.left} at ${width}`);
    assert.equal(await near.locator(".rank").evaluate((cell) => getComputedStyle(cell).overflow), "visible");
    const shares = await state(page, "Compact").getByTestId("row").first().evaluate((row) => [...row.cells].map((cell) => cell.offsetWidth / row.offsetWidth));
    assert.ok(shares[1] > 0.5, `the name has ${shares} of the row`);
  }
}));

test("a rank of five digits ends before the picture in a narrow column", watched(async ({ open }) => {
  const page = await open("/gallery/", { still: true, allow: wrong });
  const row = state(page, "Narrow").getByTestId("row").nth(4);
  await row.waitFor();
  const [text, picture] = await row.evaluate((row) => {
    const rank = row.querySelector(".rank span");
    rank.textContent = "12,345";
    const range = document.createRange();
    range.selectNodeContents(rank);
    return [range, row.querySelector(".picture")].map((e) => e.getBoundingClientRect().toJSON());
  });
  assert.ok(text.width > 20 && text.right <= picture.left, `${text.right} over ${picture.left}`);
}));

test("the own row is coloured from outside, pinned or not", watched(async ({ open }) => {
  const page = await open("/gallery/", { still: true, allow: wrong });
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("framedle-leaderboard::part(own) { background: rgb(1, 2, 3); }");
    document.adoptedStyleSheets.push(sheet);
  });
  for (const title of ["Signed in", "Own row further down"]) {
    const own = state(page, title).locator(".own").last();
    await own.waitFor({ state: "attached" });
    assert.deepEqual(await own.evaluate((row) => [...row.cells].map((cell) => getComputedStyle(cell).backgroundColor)), Array(3).fill("rgb(1, 2, 3)"), title);
  }
}));

test("the editor shows a theme at once, and copies it as CSS", watched(async ({ open }) => {
  const page = await open("/gallery/", { still: true, allow: wrong, permissions: ["clipboard-read", "clipboard-write"] });
  const mark = state(page, "Signed in").locator(".own .you").first();
  await mark.waitFor();
  await page.getByTestId("theme-accent").fill("#8a2be2");
  await page.getByTestId("theme-radius").fill("3px");
  await eventually(() => mark.evaluate((mark) => getComputedStyle(mark).backgroundColor), (colour) => colour === "rgb(138, 43, 226)");
  await page.getByTestId("copy").click();
  await page.getByTestId("said").filter({ hasText: "Copied." }).waitFor();
  const css = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(css, "framedle-leaderboard, framedle-rank {\n  --lb-accent: #8a2be2;\n  --lb-radius: 3px;\n}");
  await page.getByTestId("theme-text").fill("#999999");
  await page.getByTestId("contrast").filter({ hasText: "too little" }).waitFor();
  await page.getByTestId("language").selectOption("ar");
  await state(page, "Signed in").getByTestId("my-rank").filter({ hasText: "المركز" }).waitFor();
}));
