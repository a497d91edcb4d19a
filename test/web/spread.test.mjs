// How everybody did: the chart below a board.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { violations } from "./axe.mjs";
import { call, play, rows, signIn, submit, watched } from "./support.mjs";

before(async () => {
  await submit(Array.from({ length: 100 }, (_, i) => ({ mode: "points", player: "user_s" + i, score: Math.round(i * i / 10) })));
  await submit([12.5, 13.25, 14, 30].map((score, i) => ({ mode: "run", player: "user_r" + i, score })));
});

const openChart = (page) => page.locator("[data-testid=spread] > summary").click();
const asks = (page) => page.watch.api().filter((line) => line.includes("/distribution"));

// What the chart says: its rows, as a reader of the table has them.
async function chart(page) {
  const table = page.getByTestId("spread-table");
  await table.waitFor();
  if (!(await table.evaluate((details) => details.open))) await table.locator("summary").click();
  await page.locator("[data-testid=spread] tbody tr").first().waitFor();
  return page.locator("[data-testid=spread] tbody tr").evaluateAll((all) =>
    all.map((row) => ({
      from: row.querySelector("th").textContent,
      players: Number(row.querySelector("td span").textContent),
      width: row.querySelector("i")?.getBoundingClientRect().width ?? 0,
      mine: row.getAttribute("aria-current") === "true",
    })),
  );
}

for (const colorScheme of ["light", "dark"]) {
  for (const width of [360, 1200]) {
    test(`the chart is asked for when it is opened, and has everybody: ${colorScheme}, ${width} px wide`, watched(async ({ open }) => {
      const page = await open("/?mode=points", { colorScheme, viewport: { width, height: 740 }, still: true });
      await page.getByTestId("row").first().waitFor();
      assert.equal(page.watch.requests.filter(({ url }) => /distribution|chart\.js/.test(url)).length, 0);
      await openChart(page);
      const shown = await chart(page);
      assert.ok(shown.length > 1 && shown.length <= 12, String(shown.length));
      assert.equal(shown.reduce((sum, { players }) => sum + players, 0), 100);
      const said = (await call("GET", "/v1/leaderboards/points/distribution?buckets=12")).buckets.map(({ players }) => players);
      assert.deepEqual(shown.map(({ players }) => players), said.reverse(), "the best first");
      const longest = Math.max(...shown.map(({ width }) => width));
      for (const { players, width } of shown) assert.ok(Math.abs(width / longest - players / Math.max(...said)) < 0.02, `${players} are ${width} of ${longest} px`);
      assert.ok(!shown.some(({ mine }) => mine));
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      assert.deepEqual(await violations(page), []);
      assert.equal(asks(page).length, 1);
      if (process.env.SHOTS) await page.locator("[data-testid=spread]").screenshot({ path: `${process.env.SHOTS}/spread-${colorScheme}-${width}.png` });
    }));
  }
}

test("the own bar is marked, in words too, and follows what is played", watched(async ({ open }) => {
  const page = await open("/?mode=points", { viewport: { width: 360, height: 740 } });
  await openChart(page);
  assert.ok(!(await chart(page)).some(({ mine }) => mine));
  await signIn(page, "Mira");
  await play(page, 455);
  const own = page.locator("[data-testid=spread] tr[aria-current]");
  await own.waitFor();
  const [from, to] = (await own.locator("th").textContent()).split(" – ").map(Number);
  assert.ok(from <= 455 && 455 <= to, `${from} to ${to}`);
  assert.equal(await own.locator(".you").textContent(), "You");
  assert.match(await page.locator("[data-testid=spread] caption").textContent(), /^10\d players?\. You: 455, top [\d.]+%\.$/);
  assert.deepEqual(await violations(page), []);
  if (process.env.SHOTS) await page.screenshot({ path: process.env.SHOTS + "/spread-own.png", fullPage: true });
}));

test("where low scores lead they come first, with their places", watched(async ({ open }) => {
  const page = await open("/?mode=run");
  await openChart(page);
  const shown = await chart(page);
  assert.match(shown[0].from, /^\d+\.\d{2}( – \d+\.\d{2})?$/);
  assert.ok(Number(shown[0].from.split(" – ")[0]) <= 12.5);
  const firsts = shown.map(({ from }) => Number(from.split(" – ")[0]));
  assert.deepEqual(firsts, [...firsts].sort((a, b) => a - b));
}));

test("a board that nobody is on has no chart, and another board has its own", watched(async ({ open }) => {
  const page = await open("/?mode=points&date=2020-01-01");
  await page.getByTestId("note").filter({ hasText: "No scores in this period" }).waitFor();
  assert.equal(await page.getByTestId("spread").isVisible(), false);
  await page.getByTestId("period-today").click();
  await page.getByTestId("tab-week").click();
  await openChart(page);
  await chart(page);
  await page.getByTestId("tab-friends").click();
  await page.getByTestId("signed-out").waitFor();
  assert.equal(await page.getByTestId("spread").isVisible(), false);
}));

test("a chart that cannot be had is said, and asked for again", watched(async ({ open }) => {
  const page = await open("/?mode=points", { allow: [/status of 503/], still: true });
  await page.route("**/distribution?*", (route) => route.fulfill({ status: 503, contentType: "application/problem+json", headers: { "Retry-After": "60" }, body: JSON.stringify({ type: "about:blank", status: 503, code: "temporarily-unavailable", detail: "Redis cannot be reached" }) }));
  await page.getByTestId("row").first().waitFor();
  await openChart(page);
  await page.getByTestId("spread-retry").waitFor();
  await page.unroute("**/distribution?*");
  await page.getByTestId("spread-retry").click();
  await chart(page);
}));

test("continents are beside the countries, where the mode has them", watched(async ({ open }) => {
  const at = (player, country, score) => ({ mode: "points", player, country, score });
  await submit([at("user_lisbon", "PT", 1900), at("user_rio", "BR", 1950), at("user_bonn", "DE", 1800)]);
  const page = await open("/?mode=points&tab=country&region=EU");
  await page.locator("[data-player=user_bonn]").waitFor();
  const shown = async () => (await rows(page)).filter((player) => player !== "user_mira"); // who plays above, from Britain
  assert.deepEqual(await shown(), ["user_lisbon", "user_bonn"]);
  assert.equal(await page.getByTestId("country").evaluate((select) => select.selectedOptions[0].textContent), "Europe");
  assert.match(await page.locator("[data-testid=board] caption").textContent(), /points, Europe/);
  assert.deepEqual(await violations(page), []);
  await page.getByTestId("country").selectOption("region:SA");
  await page.locator("[data-player=user_rio]").waitFor();
  assert.match(page.url(), /region=SA/);
  await openChart(page);
  assert.deepEqual((await chart(page)).map(({ players }) => players), [1]);
  await page.getByTestId("country").selectOption("PT");
  await page.locator("[data-player=user_lisbon]").waitFor();
  assert.deepEqual(await shown(), ["user_lisbon"]);
  assert.match(page.url(), /country=PT/);
  await page.getByTestId("mode").selectOption("run");
  await page.getByText("No scores yet.").first().waitFor();
  assert.equal(await page.getByTestId("country").locator("optgroup").count(), 1);
}));
