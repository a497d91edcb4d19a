import assert from "node:assert/strict";
import { test } from "node:test";
import { call, eventually, play, signIn, submit, watched } from "./support.mjs";

// Signs in, plays, looks around, is away for a moment and comes back.
async function visit(open, name, score) {
  const page = await open("/", { late: false });
  await page.locator("[data-testid=board][aria-busy=false]").waitFor();
  await signIn(page, name);
  await page.getByTestId("no-rank").waitFor();
  await play(page, score);
  await page.getByTestId("my-rank").waitFor();
  await page.getByTestId("tab-week").click();
  await page.getByTestId("my-rank").waitFor();
  await page.getByTestId("tab-friends").click();
  await page.getByTestId("my-rank").filter({ hasText: "Rank #1" }).waitFor();
  await page.getByTestId("tab-boards").click();
  await page.getByTestId("my-rank").waitFor();
  const away = await page.context().newPage();
  await away.close();
  await page.bringToFront();
  await page.getByTestId("updated").waitFor();
  return page;
}

test("a whole visit takes 6 requests and 28 commands at most", watched(async ({ open }) => {
  await submit(["a", "b", "c"].map((id, i) => ({ mode: "daily_frame", player: "user_" + id, score: 900 - 100 * i, country: "BR" })));
  await visit(open, "Before", 500); // what a process learns once, it has learned
  await call("DELETE", "/_local/usage");
  const { watch } = await visit(open, "Visitor", 650);
  const asked = watch.api();
  const { commands, by_function } = await call("GET", "/_local/usage");
  console.log(`${asked.length} requests, ${commands} commands: ${asked.join(", ")}; ${JSON.stringify(Object.fromEntries(Object.entries(by_function).map(([f, u]) => [f, u.commands])))}`);
  assert.ok(asked.length <= 6, asked.join("\n"));
  assert.ok(commands <= 28, `${commands} commands`);
  assert.equal(watch.requests.filter((r) => r.method === "OPTIONS").length, 0);
  const open_ = watch.requests.filter((r) => /\/v1\/(game|leaderboards\/[a-z_]+\?)/.test(r.url));
  assert.ok(open_.length > 1 && open_.every((r) => !r.headers.authorization), "public boards are asked for without a token");
}));

test("who looks on, looks at a board that is asked for again; who does not, asks for nothing", watched(async ({ open }) => {
  const page = await open(undefined, { still: true, late: true });
  await page.clock.install();
  await page.goto("/?mode=daily_frame");
  await page.getByTestId("row").first().waitFor();
  const boards = () => page.watch.api().filter((r) => r.includes("/leaderboards/")).length;
  const answered = () => eventually(() => page.watch.answered, (n) => n === page.watch.api().length);
  assert.equal(boards(), 1);
  await answered();
  await page.clock.runFor(61_000);
  await eventually(boards, (n) => n === 2);
  await answered(); // else the moved clock would have the request time out
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await page.clock.runFor(600_000);
  assert.equal(boards(), 2, "hidden");
  await page.evaluate(() => {
    delete document.hidden;
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await page.clock.runFor(10);
  await eventually(boards, (n) => n === 3);
  await answered();
  // Yesterday takes scores for some minutes after midnight: the day before is closed.
  for (const asked of [4, 5]) {
    await page.getByTestId("period-before").click();
    await eventually(boards, (n) => n === asked);
    await page.getByTestId("note").filter({ hasText: "No scores in this period" }).waitFor();
    await answered();
  }
  const before = boards();
  await page.clock.runFor(600_000);
  assert.equal(boards(), before, "a closed period does not change");
}));
