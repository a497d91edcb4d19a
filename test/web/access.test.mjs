import assert from "node:assert/strict";
import { before, test } from "node:test";
import { ofColours, violations } from "./axe.mjs";
import { play, signIn, submit, watched } from "./support.mjs";
import { themes, wear } from "./themes.mjs";

before(() => submit(Array.from({ length: 60 }, (_, i) => ({ mode: "daily_frame", player: "user_p" + i, score: 900 - i, country: "BR", details: { guesses: 2 } }))));

// A page with everything on it: the own row pinned, a result shared, lists open, a card.
async function everything(page, rules) {
  await page.getByTestId("tab-boards").click();
  await page.getByTestId("my-rank").waitFor();
  await page.getByTestId("share").click();
  await page.getByTestId("share-save").waitFor();
  assert.deepEqual(await violations(page, rules), [], "share");
  await page.getByTestId("share-close").click();
  assert.deepEqual(await violations(page, rules), [], "day");
  for (const tab of ["friends", "duels"]) {
    await page.getByTestId("tab-" + tab).click();
    await page.locator("[data-testid=board][aria-busy=false]").waitFor();
    await page.getByTestId(tab + "-lists").waitFor();
    assert.deepEqual(await violations(page, rules), [], tab);
  }
  await page.getByTestId("tab-boards").click();
  await page.getByTestId("row").first().getByRole("button").click();
  await page.getByTestId("card-rank").waitFor();
  assert.deepEqual(await violations(page, rules), [], "card");
  await page.getByTestId("card-close").click();
}

for (const scheme of ["light", "dark"]) {
  test(`nothing bars anybody, ${scheme}`, watched(async ({ open }) => {
    const page = await open("/", { colorScheme: scheme });
    await page.getByTestId("row").first().waitFor();
    assert.deepEqual(await violations(page), [], "signed out");
    await signIn(page, "Reader " + scheme);
    await play(page, 100);
    await page.getByTestId("my-rank").waitFor();
    const own = await page.locator("tr.own").first().evaluate((row) => getComputedStyle(row).backgroundColor.match(/[\d.]+/g).slice(0, 3).map((share) => Math.round(share * 255)));
    const token = scheme === "light" ? [0xe8, 0xea, 0xff] : [0x26, 0x2b, 0x55];
    assert.ok(own.every((part, i) => Math.abs(part - token[i]) < 3), `the own row has the colour of its token: ${own}`);
    await everything(page);
  }));
}

test("nothing bars anybody in five themes", watched(async ({ open }) => {
  const page = await open("/");
  await signIn(page, "Dresser");
  await play(page, 120);
  for (const theme of themes) {
    await wear(page, theme);
    await everything(page, ofColours);
  }
}));

test("nothing bars anybody with forced colours, and from right to left", watched(async ({ open }) => {
  const page = await open("/", { forcedColors: "active" });
  await signIn(page, "Contrast");
  await play(page, 110);
  await everything(page);
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  await everything(page);
}));

test("what a screen reader is told of a board", watched(async ({ open }) => {
  const page = await open("/?mode=daily_frame");
  await page.getByTestId("row").first().waitFor();
  const tree = await page.getByRole("tabpanel").ariaSnapshot();
  assert.match(tree, /tabpanel "Day"/);
  assert.match(tree, /table "Daily Frame, \w+, \d+ \w+ \d+"/);
  assert.match(tree, /columnheader "Rank"[\s\S]*columnheader "Player"[\s\S]*columnheader "Score"/);
  assert.match(tree, /rowheader "Player \d{4} Brazil"/i);
  assert.equal(await page.locator("[aria-live=polite]").count() > 0, true);
}));

test("who wants no motion gets none", watched(async ({ open }) => {
  const page = await open(undefined, { reducedMotion: "reduce" });
  await page.route("**/v1/leaderboards/**", () => {});
  await page.goto("/?mode=daily_frame");
  // A skeleton that is replaced just then has no style at all.
  await page.waitForFunction(() => {
    const bar = document.querySelector(".skeleton i");
    return bar && getComputedStyle(bar).animationName === "none";
  });
}));
