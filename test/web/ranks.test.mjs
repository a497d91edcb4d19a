import assert from "node:assert/strict";
import { before, test } from "node:test";
import { eventually, play, signIn, submit, token, watched } from "./support.mjs";

const size = 5000;
const pad = (rank) => String(rank).padStart(4, "0");

// Distinct scores, so that everybody's rank is that of the id.
before(async () => {
  const scores = Array.from({ length: size }, (_, i) => ({ mode: "streak", player: "user_r" + pad(i + 1), score: 10_000 - i }));
  for (let first = 0; first < size; first += 1000) await submit(scores.slice(first, first + 1000));
});

// As a page that knows how to sign in, in the place of the local product's config.js.
async function openAs(open, player, path = "/?mode=streak") {
  const page = await open();
  const kept = await token(player);
  await page.route("**/config.js", (route) =>
    route.fulfill({ contentType: "text/javascript", body: `window.framedle = { getToken: async () => ${JSON.stringify(kept)} };` }),
  );
  await page.goto(path);
  await page.getByTestId("row").first().waitFor();
  return page;
}

// The rows of the player that assistive technology is told of, and those that are seen.
const standing = (page, player) =>
  page.evaluate((player) => {
    const all = [...document.querySelectorAll(`[data-testid=board] tr[data-player=${player}]`)];
    const isRead = (row) => !row.closest("[aria-hidden=true]") && getComputedStyle(row).visibility !== "hidden" && !row.closest("[hidden]");
    const isSeen = (row) => {
      const { top, bottom } = (row.cells[0] ?? row).getBoundingClientRect();
      return getComputedStyle(row).visibility !== "hidden" && bottom > 0 && top < innerHeight;
    };
    return {
      read: all.filter(isRead).length,
      seen: all.filter(isSeen).length,
      current: all.filter((row) => row.getAttribute("aria-current") === "true").length,
      listed: all.filter((row) => row.dataset.testid === "row").length,
    };
  }, player);

for (const rank of [1, 50, 51, size]) {
  test(`rank ${rank} is always in view, and read out once`, watched(async ({ open }) => {
    const player = "user_r" + pad(rank);
    const page = await openAs(open, player);
    await page.getByTestId("my-rank").filter({ hasText: new RegExp(`^Rank #${rank.toLocaleString("en")}$`) }).waitFor();
    assert.equal(await page.getByTestId("players").textContent(), "5,000 players");
    const whole = { read: 1, current: 1, listed: 1 };
    for (const place of [0, 0.5, 1, 0]) {
      await page.evaluate((share) => scrollTo(0, share * document.body.scrollHeight), place);
      await eventually(() => standing(page, player), (s) => s.seen >= 1 && Object.entries(whole).every(([name, n]) => s[name] === n));
    }
    const own = page.locator(`[data-testid=row][data-player=${player}]`);
    assert.equal(await own.getAttribute("data-rank"), String(rank));
    assert.equal(await page.locator("tbody [data-testid=row]").count(), 50);
    if (rank > 50) {
      await page.getByTestId("more").click();
      await eventually(() => page.locator("tbody [data-testid=row]").count(), (n) => n === 100);
      await eventually(() => standing(page, player), (s) => Object.entries(whole).every(([name, n]) => s[name] === n));
    }
  }));
}

test("Show my place leads to the row itself, between its neighbours", watched(async ({ open }) => {
  const page = await openAs(open, "user_r2500");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.getByTestId("find-place").click();
  await eventually(() => page.evaluate(() => [...document.querySelectorAll("tfoot tr[data-rank]")].filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  }).map((row) => Number(row.dataset.rank))), (ranks) => [2499, 2500, 2501].every((rank) => ranks.includes(rank)) && ranks.every((rank, i) => !i || rank === ranks[i - 1] + 1));
}));

test("who is not on the board is told so, and is pinned nowhere", watched(async ({ open }) => {
  const page = await openAs(open, "user_absent");
  await page.getByTestId("no-rank").filter({ hasText: "Not on the board yet" }).waitFor();
  assert.equal(await page.getByTestId("my-rank").count(), 0);
  assert.equal(await page.locator("[data-testid=board] [aria-current]").count(), 0);
}));

test("going on to the end shows everybody once, in order", watched(async ({ open }) => {
  const page = await open("/?mode=streak");
  for (let shown = 50; shown <= 300; shown += 50) {
    await eventually(() => page.locator("tbody [data-testid=row]").count(), (n) => n === shown);
    await page.getByTestId("more").click();
  }
  const ranks = await page.locator("tbody [data-testid=row]").evaluateAll((all) => all.map((row) => Number(row.dataset.rank)));
  assert.deepEqual(ranks, ranks.map((_, i) => i + 1));
}));

test("a score from here puts the player where they belong, far down too", watched(async ({ open }) => {
  const page = await open("/?mode=streak");
  await signIn(page, "Newcomer");
  await page.getByTestId("no-rank").waitFor();
  await play(page, 9500);
  await page.getByTestId("my-rank").filter({ hasText: "Rank #502" }).waitFor();
  assert.equal(await page.getByTestId("players").textContent(), "5,001 players");
  assert.equal(await page.locator("tfoot [data-testid=row]").getAttribute("data-rank"), "502");
}));
