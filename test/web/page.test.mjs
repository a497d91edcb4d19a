import assert from "node:assert/strict";
import { before, test } from "node:test";
import { call, eventually, play, rows, setClock, settled, signIn, submit, token, watched } from "./support.mjs";

const score = (player, score, country) => ({ mode: "daily_frame", player, score, country });

before(async () => {
  await submit([score("user_a", 900, "BR"), score("user_b", 700, "PT"), score("user_c", 500, "BR"), score("user_d", 100, "PT")]);
  await submit([{ mode: "clip_guesser", player: "user_b", score: 400 }]);
});

test("the board is there for whoever comes, at one request and one command", watched(async ({ open }) => {
  const first = await open("/", { still: true });
  await first.getByTestId("row").first().waitFor(); // the process knows names and total now
  await call("DELETE", "/_local/usage");
  const page = await open("/?mode=year_guesser", { still: true });
  await page.getByTestId("note").filter({ hasText: "No scores yet" }).waitFor();
  assert.deepEqual(page.watch.api().sort(), ["GET /v1/game", "GET /v1/leaderboards/year_guesser?period=day&limit=50"]);
  const { by_function } = await call("GET", "/_local/usage");
  assert.equal(by_function.leaderboard.commands, 1, JSON.stringify(by_function)); // not what runs in the background
  assert.ok(page.watch.requests.every((r) => !r.headers.authorization));
}));

test("a newcomer signs in by name, plays, and sees the board move", watched(async ({ open }) => {
  const page = await open("/", { still: true });
  await page.getByTestId("row").nth(3).waitFor();
  assert.equal(await page.getByTestId("players").textContent(), "4 players");
  assert.deepEqual(await rows(page), ["user_a", "user_b", "user_c", "user_d"]);
  await signIn(page, "Zoë <b>");
  await page.getByTestId("no-rank").filter({ hasText: "Not on the board yet" }).waitFor();
  await settled(page); // the rows say so before the profile or a card has come
  const asked = page.watch.requests.length;
  await play(page, 600);
  await page.getByTestId("my-rank").waitFor();
  assert.equal(await page.getByTestId("my-rank").textContent(), "Rank #3");
  assert.equal(await page.getByTestId("players").textContent(), "5 players");
  const own = page.locator("tbody tr[aria-current=true]");
  assert.equal(await own.getAttribute("data-rank"), "3");
  assert.match(await own.textContent(), /Zoë <b>/);
  assert.deepEqual(page.watch.api(asked), ["POST /v1/scores"]);
  await play(page, 900); // the first one stands
  await page.getByTestId("play-said").filter({ hasText: "600" }).waitFor();
}));

test("every tab is reached and shown by keyboard alone", watched(async ({ open }) => {
  const page = await open("/");
  await page.getByTestId("row").first().waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.dataset.testid);
  while ((await focused()) !== "tab-day") await page.keyboard.press("Tab");
  const order = ["day", "week", "month", "alltime"];
  for (const [i, tab] of order.entries()) {
    if (i) await page.keyboard.press("ArrowRight");
    assert.equal(await focused(), "tab-" + tab);
    if (i) assert.equal(await page.locator("[role=tab][aria-selected=true]").getAttribute("data-testid"), "tab-" + order[i - 1], "arrows only move");
    await page.keyboard.press("Enter");
    await page.locator(`[data-testid=tab-${tab}][aria-selected=true]`).waitFor();
    assert.equal(await page.getByRole("tabpanel").getAttribute("aria-labelledby"), "tab-" + tab);
    await page.locator("[data-testid=board][aria-busy=false]").waitFor();
  }
  await page.keyboard.press("ArrowRight");
  assert.equal(await focused(), "tab-day", "after the last comes the first");
  await page.keyboard.press("End");
  assert.equal(await focused(), "tab-alltime");
  await page.keyboard.press("Home");
  await page.keyboard.press(" ");
  await page.locator("[data-testid=tab-day][aria-selected=true]").waitFor();
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  await page.keyboard.press("ArrowLeft");
  assert.equal(await focused(), "tab-week", "from right to left, left is on");
}));

test("every place is reached by keyboard alone, and says that it is the one", watched(async ({ open }) => {
  const page = await open("/");
  await page.getByTestId("row").first().waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.dataset.testid);
  while ((await focused()) !== "tab-boards") await page.keyboard.press("Tab");
  for (const place of ["league", "friends", "duels"]) {
    await page.keyboard.press("Tab");
    assert.equal(await focused(), "tab-" + place);
    await page.keyboard.press("Enter");
    await page.locator(`[data-testid=tab-${place}][aria-current=page]`).waitFor();
    assert.equal(await page.locator("nav [aria-current=page]").count(), 1);
    if (place === "duels") await page.locator("[data-testid=board][aria-busy=false]").waitFor();
    else await page.getByTestId("signed-out").waitFor(); // what is missing
  }
  await page.goBack();
  await page.locator("[data-testid=tab-friends][aria-current=page]").waitFor();
}));

test("every state has an address, and back and forward work", watched(async ({ open }) => {
  const page = await open("/");
  await page.getByTestId("row").first().waitFor();
  await page.getByTestId("who").selectOption("country");
  await page.getByTestId("country").selectOption("PT");
  await eventually(() => rows(page), (r) => r.join() === "user_b,user_d");
  await page.getByTestId("tab-week").click();
  await page.getByTestId("mode").selectOption("clip_guesser");
  await eventually(() => rows(page), (r) => r.join() === "user_b");
  const query = (at) => new URL(at).search;
  assert.equal(query(page.url()), "?mode=clip_guesser&tab=country&period=week&country=PT");
  await page.getByTestId("who").selectOption("everyone");
  await page.getByTestId("period").filter({ hasText: "This week" }).waitFor();
  await page.getByTestId("tab-day").click();
  await page.getByTestId("period").filter({ hasText: "Today" }).waitFor();
  await eventually(() => rows(page), (r) => r.join() === "user_b");
  await page.getByTestId("row").first().getByRole("button").click();
  await page.getByTestId("card").waitFor();
  assert.equal(query(page.url()), "?mode=clip_guesser&player=user_b");
  const other = await open(new URL(page.url()).pathname + query(page.url()));
  await other.getByTestId("card").filter({ hasText: "1 of 1" }).waitFor();
  await page.goBack();
  await page.getByTestId("card").waitFor({ state: "hidden" });
  await page.goBack();
  await page.locator("[data-testid=tab-week][aria-selected=true]").waitFor();
  await page.goBack(); // countries
  await page.getByTestId("country").waitFor();
  await page.goBack(); // another mode
  await page.goBack(); // another period
  await eventually(() => rows(page), (r) => r.join() === "user_b,user_d");
  for (let i = 0; i < 4; i++) await page.goForward();
  await eventually(() => rows(page), (r) => r.join() === "user_b");
}));

test("a card opens on a click, holds focus, and gives it back", watched(async ({ open }) => {
  const page = await open("/");
  const button = page.locator("[data-player=user_b] button");
  await button.focus();
  await page.keyboard.press("Enter");
  const card = page.getByTestId("card");
  await card.getByTestId("card-rank").filter({ hasText: "2 of" }).waitFor();
  assert.equal(await page.evaluate(() => !!document.activeElement.closest("dialog")), true);
  await page.keyboard.press("Escape");
  await card.waitFor({ state: "hidden" });
  assert.equal(await page.evaluate(() => document.activeElement.closest("tr").dataset.player), "user_b");
  await eventually(async () => new URL(page.url()).search, (search) => !search.includes("player"));
}));

test("the own card has the last ranks, which go back to their place", watched(async ({ open }) => {
  const page = await open("/");
  await page.getByTestId("row").first().waitFor();
  await signIn(page, "Hilda");
  await play(page, 640);
  await page.locator("[data-testid=row][data-player=user_hilda]").first().click();
  const ranks = page.getByTestId("card").getByTestId("ranks");
  await ranks.waitFor();
  const asked = () => page.watch.api().filter((line) => line.includes("/me/ranks")).length;
  assert.equal(asked(), 0, "only when they are opened");
  await ranks.locator("summary").click();
  await ranks.filter({ hasText: "No closed days yet." }).waitFor();
  assert.equal(asked(), 1);
  await page.keyboard.press("Escape");
  await page.locator(".side").getByTestId("ranks").waitFor();
}));

test("a mode that is picked as a card closes is shown, and back leads to the board before", watched(async ({ open }) => {
  const page = await open("/");
  await page.locator("[data-player=user_b] button").click();
  const card = page.getByTestId("card");
  await card.getByTestId("card-rank").filter({ hasText: "2 of" }).waitFor();
  await card.evaluate((dialog) => {
    dialog.addEventListener("close", () => {
      const modes = document.querySelector("[data-testid=mode]");
      modes.value = "clip_guesser";
      modes.dispatchEvent(new Event("change"));
    });
    dialog.close();
  });
  await eventually(() => page.url(), (url) => new URL(url).search === "?mode=clip_guesser");
  await settled(page);
  assert.equal(new URL(page.url()).search, "?mode=clip_guesser");
  assert.equal(await page.getByTestId("mode").inputValue(), "clip_guesser");
  assert.equal(await card.isVisible(), false);
  await page.goBack();
  await eventually(() => page.getByTestId("mode").inputValue(), (mode) => mode === "daily_frame");
  assert.equal(await card.isVisible(), false);
}));

test("past periods are picked, and are final", watched(async ({ open }) => {
  const page = await open("/");
  await page.getByTestId("row").first().waitFor();
  assert.equal(await page.getByTestId("period-after").isDisabled(), true);
  await page.getByTestId("period-before").click();
  await page.getByTestId("note").filter({ hasText: "No scores in this period" }).waitFor();
  assert.match(page.url(), /date=\d{4}-\d\d-\d\d/);
  await page.getByTestId("period-after").click();
  await page.getByTestId("row").first().waitFor();
  assert.doesNotMatch(page.url(), /date=/, "the current one goes without saying");
  await page.getByTestId("tab-week").click();
  await page.getByTestId("period-date").fill("2026-01-01");
  await eventually(() => page.getByTestId("period").textContent(), (title) => title.includes("29 Dec"));
  await page.getByTestId("tab-month").click();
  await page.getByTestId("period-date").fill("2026-02-14");
  await page.getByTestId("period").filter({ hasText: "February 2026" }).waitFor();
  await page.getByTestId("tab-week").click();
  await page.getByTestId("period-date").fill("2026-01-14");
  await page.getByTestId("period").filter({ hasText: /^12\s?–\s?18 Jan( 2026)?$/ }).waitFor(); // what both dates share is said once, and the year of another year
}));

test("friends ask, accept, invite and block", watched(async ({ open }) => {
  const ana = await open("/?tab=friends");
  await signIn(ana, "Ana");
  await play(ana, 10); // who has played has a name
  await call("POST", "/v1/friends/requests", { player: "user_bea" }, { Authorization: "Bearer " + (await token("user_ana", { name: "Ana" })), "Idempotency-Key": '"ask"' });
  const bea = await open(undefined, { allow: [/status of 404/] });
  await bea.clock.install();
  await bea.goto("/?tab=friends");
  await signIn(bea, "Bea");
  await play(bea, 640);
  // Time stands still, however long a click takes: what can be undone can be undone.
  await bea.clock.pauseAt(Date.now() + 60_000);
  const settled = () => bea.clock.runFor(700); // the second half of a double click is no decision
  await bea.locator("[data-testid=tab-friends] .dot").filter({ hasText: "1" }).waitFor();
  await settled();
  const accept = bea.getByTestId("list-requests").getByRole("button", { name: "Accept" });
  await accept.click();
  await bea.getByTestId("list-friends").filter({ hasText: "Ana" }).waitFor();
  assert.equal(await bea.locator("[data-testid=tab-friends] .dot").isVisible(), false);
  // Who asked sees it on coming back to the page, without a reload.
  await ana.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await ana.getByTestId("list-friends").filter({ hasText: "Bea" }).waitFor();
  assert.equal(await ana.getByTestId("list-asked").count(), 0);
  // Nothing that ends the friendship stands where Accept stood: it is in a menu, and can be undone.
  const remove = async () => {
    await settled();
    await bea.getByTestId("list-friends").getByTestId("menu").click();
    await bea.getByTestId("list-friends").getByRole("button", { name: "Remove" }).click();
    await bea.getByTestId("list-friends").waitFor({ state: "detached" });
  };
  await remove();
  await bea.getByTestId("undo").click();
  await bea.getByTestId("list-friends").filter({ hasText: "Ana" }).waitFor();
  assert.equal(bea.watch.api().filter((line) => line.startsWith("DELETE")).length, 0);
  await remove();
  await bea.clock.runFor(5_000);
  await bea.clock.resume();
  await eventually(() => bea.watch.api().filter((line) => line === "DELETE /v1/friends/user_ana").length, (n) => n === 1);

  await ana.getByRole("button", { name: "Invite friends" }).click();
  await ana.getByTestId("toast").filter({ hasText: /copied|invite=/ }).waitFor();
  await ana.getByTestId("friend-code").fill("user_bea");
  await ana.getByTestId("friend-ask").click();
  await ana.getByTestId("toast").filter({ hasText: "not a friend code" }).waitFor();
  const { code } = await call("POST", "/v1/friends/invites", { uses: 1 }, { Authorization: "Bearer " + (await token("user_ana")) });
  await bea.goto("/?invite=" + code);
  await bea.getByTestId("banner").filter({ hasText: "Ana invites you to be friends." }).getByRole("button", { name: "Accept" }).click();
  await bea.getByTestId("toast").filter({ hasText: "now friends" }).waitFor();
  // An invite that cannot be accepted is not offered.
  await bea.goto("/?invite=abcdefghijklmnopqrstuvwxyz");
  await bea.getByTestId("toast").filter({ hasText: "expired" }).waitFor();
  assert.equal(await bea.getByTestId("banner").isVisible(), false);
  await bea.getByTestId("tab-friends").click();
  await bea.getByTestId("my-rank").filter({ hasText: "Rank #1" }).waitFor();
  await ana.reload();
  await eventually(() => rows(ana), (r) => r.join() === "user_bea,user_ana");

  await ana.locator("[data-testid=row][data-player=user_bea] button").click();
  await ana.getByTestId("card").getByTestId("menu").click();
  await ana.getByTestId("card").getByRole("button", { name: "Block" }).click();
  await ana.getByTestId("toast").filter({ hasText: "Blocked" }).waitFor();
  await ana.reload();
  await ana.getByTestId("list-blocked").getByRole("button", { name: "Unblock" }).waitFor();
}));

test("who has no friends is told once, and who has no duels gets no button that leads nowhere", watched(async ({ open }) => {
  const page = await open("/?tab=friends", { still: true });
  await signIn(page, "Lonely");
  await page.getByTestId("friends-lists").filter({ hasText: "No friends yet" }).waitFor();
  await page.locator("[data-testid=board][aria-busy=false]").waitFor({ state: "attached" });
  assert.equal(await page.getByTestId("note").isVisible(), false);
  await page.route("**/v1/leaderboards/duels?*", (route) => route.fulfill({ json: { mode: "duels", period: "alltime", key: "all", scope: "global", total: 0, closed: false, updated_at: new Date().toISOString(), entries: [] } }));
  await page.getByTestId("tab-duels").click();
  await page.getByTestId("note").filter({ hasText: "No scores yet" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Be the first" }).count(), 0);
}));

test("names stand in the middle of their rows, with a flag below them or without", watched(async ({ open }) => {
  await submit([5, 4, 3, 2, 1].map((n) => ({ mode: "fragment_match", player: "user_flagless" + n, score: n })));
  const page = await open("/?mode=fragment_match", { still: true });
  await page.getByTestId("row").nth(4).waitFor();
  const off = await page.locator("tbody tr:nth-child(n+4)").evaluateAll((all) => all.map((row) => {
    const middle = (element) => (({ top, bottom }) => (top + bottom) / 2)(element.getBoundingClientRect());
    return Math.abs(middle(row.querySelector("bdi")) - middle(row));
  }));
  assert.ok(off.length === 2 && off.every((by) => by <= 2), String(off));
}));

test("a duel is asked for, accepted, reported and rated", watched(async ({ open }) => {
  const cy = await open("/?tab=duels");
  await signIn(cy, "Cy");
  await call("POST", "/v1/duels", { opponent: "user_cy" }, { Authorization: "Bearer " + (await token("user_di", { name: "Di" })), "Idempotency-Key": '"duel"' });
  await cy.reload();
  await cy.locator("[data-testid=tab-duels] .dot").filter({ hasText: "1" }).waitFor();
  const di = await open("/?tab=duels");
  await signIn(di, "Di");
  await di.locator("[data-duel][data-status=waiting]").waitFor();
  await cy.getByTestId("list-challenges").getByRole("button", { name: "Accept" }).click();
  // It shows at the other's too, who does nothing.
  await di.locator("[data-duel][data-status=ready]").getByRole("button", { name: "I lost" }).waitFor();
  await cy.locator("[data-duel]").getByRole("button", { name: "I won" }).click();
  await cy.locator("[data-duel]").filter({ hasText: "waiting for your opponent" }).waitFor();
  await di.getByRole("button", { name: "I lost" }).click();
  await di.locator("[data-status=decided]").getByTestId("outcome").filter({ hasText: /Lost −\d+/ }).waitFor();
  await cy.locator("[data-status=decided]").getByTestId("outcome").filter({ hasText: /Won \+\d+/ }).waitFor();
}));

test("a challenge is declined or withdrawn, and its players are called by their names", watched(async ({ open }) => {
  const eva = await open("/?tab=duels");
  await signIn(eva, "Eva");
  const asks = async (key) => call("POST", "/v1/duels", { opponent: "user_eva" }, { Authorization: "Bearer " + (await token("user_fynn", { name: "Fynn" })), "Idempotency-Key": `"${key}"` });
  await asks("declined");
  await eva.reload();
  const asked = eva.getByTestId("list-challenges");
  await asked.filter({ hasText: "Fynn" }).waitFor(); // who has not played
  await asked.getByTestId("menu").click();
  await asked.getByRole("button", { name: "Decline" }).click();
  await eva.getByTestId("toast").filter({ hasText: "Challenge declined." }).waitFor();
  await asked.waitFor({ state: "detached" });
  await asks("withdrawn");
  const fynn = await open("/?tab=duels");
  await signIn(fynn, "Fynn");
  const own = fynn.locator("[data-duel][data-status=waiting]");
  await own.getByTestId("menu").click();
  await own.getByRole("button", { name: "Cancel challenge" }).click();
  await fynn.getByTestId("toast").filter({ hasText: "Challenge cancelled." }).waitFor();
  await own.waitFor({ state: "detached" });
}));

test("a result is copied with rank, share and grid", watched(async ({ open }) => {
  const page = await open("/", { permissions: ["clipboard-read", "clipboard-write"] });
  await page.getByTestId("row").first().waitFor();
  await signIn(page, "Sharer");
  await play(page, 1000);
  await page.getByTestId("share").click();
  await page.getByTestId("shared").filter({ hasText: "Copied" }).waitFor();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  const [room, needs] = await page.getByTestId("share-text").evaluate((field) => [field.clientHeight, field.scrollHeight]);
  assert.ok(needs <= room, `the text needs ${needs} of ${room} pixels`);
  assert.match(text, /^Framedle · Daily Frame · .*\n🏆 #1 \/ \d+ · top \d+%\n🟩⬛⬛⬛⬛⬛\nhttp:/);
}));

// fits waits until the page is not wider than its window: what has just come in may be wider for a frame.
async function fits(page, what) {
  await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth, null, { timeout: 5000 }).catch(async () => {
    assert.fail(`${what}: ${await page.evaluate(() => document.documentElement.scrollWidth)} pixels`);
  });
}

test("a window of 320 pixels and a zoom of 200 % scroll in one direction alone", watched(async ({ open }) => {
  for (const options of [{ viewport: { width: 320, height: 640 } }, { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }]) {
    const page = await open("/", options);
    await signIn(page, "A name that is so long that no row of any board could ever hold all of it");
    await play(page, 333);
    for (const tab of ["day", "week", "month", "alltime", "friends", "league", "duels", "boards"]) {
      await page.getByTestId("tab-" + tab).click();
      if (tab === "league") await page.getByTestId("league-tier").filter({ hasText: /./ }).waitFor();
      else await page.locator("[data-testid=board][aria-busy=false]").waitFor({ state: "attached" });
      await fits(page, tab);
    }
    await page.evaluate(() => (document.documentElement.dir = "rtl"));
    await fits(page, "from right to left");
    await page.evaluate(() => (document.documentElement.dir = "ltr"));
    await page.getByTestId("sign-out").click();
  }
}));

test("with text of 200 % on a phone every name can be read", watched(async ({ open }) => {
  const page = await open("/", { viewport: { width: 360, height: 740 } });
  await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
  await page.getByTestId("row").nth(3).waitFor();
  const names = await page.locator("tbody [data-testid=row] bdi").evaluateAll((all) => all.map((name) => {
    const { clientWidth: room, scrollWidth: needs } = name;
    return [name.textContent, needs > room ? room / parseFloat(getComputedStyle(name).fontSize) : Infinity];
  }));
  for (const [name, ems] of names) assert.ok(ems >= 4, `${name} has ${ems} em`); // eight letters or more, if it is cut
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
}));

test("nothing moves as the board comes in", watched(async ({ open }) => {
  const page = await open();
  await page.addInitScript(() => {
    window.shifts = [];
    new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((e) => e.value))).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto("/");
  await page.getByTestId("row").first().waitFor();
  await page.evaluate(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))));
  const shifts = await page.evaluate(() => window.shifts);
  assert.ok(shifts.reduce((a, b) => a + b, 0) < 0.01, `layout shifts: ${shifts}`);
}));

test("the own rank says how it has changed since the day before", watched(async ({ open }) => {
  const scores = (mine) => [{ mode: "pixel_reveal", player: "user_mover", score: mine }, { mode: "pixel_reveal", player: "user_other", score: 200 }];
  try {
    await setClock(new Date(Date.now() - 86_400_000).toISOString());
    await submit(scores(100));
  } finally {
    await setClock(null);
  }
  await submit(scores(300));
  const page = await open("/?mode=pixel_reveal");
  await page.getByTestId("row").nth(1).waitFor();
  await signIn(page, "Mover");
  await page.getByTestId("my-rank").filter({ hasText: "Rank #1" }).waitFor();
  await page.locator("tbody [aria-current] [data-testid=rank-change]").filter({ hasText: "▲1 up 1 from the previous period" }).waitFor();
  await page.getByTestId("period-before").click();
  await page.getByTestId("my-rank").filter({ hasText: "Rank #2" }).waitFor();
}));

test("the last ranks are those of closed days, as a line and as text", watched(async ({ open }) => {
  const day = 86_400_000; // ms
  const noon = Math.floor(Date.now() / day) * day + day / 2;
  const when = (ago) => new Date(noon - ago * day);
  const places = { 4: 3, 3: 1, 2: 2 }; // by how many days ago
  try {
    for (const [ago, place] of Object.entries(places).reverse()) {
      await setClock(when(ago).toISOString());
      await submit(["ivo", "jim", "kim"].map((name, i) => ({ mode: "pixel_reveal", player: "user_" + name, score: i + 2 > place ? 100 : 900 })));
      await submit([{ mode: "pixel_reveal", player: "user_greta", score: 500 + place }]);
    }
    await setClock(when(1).toISOString());
    await call("POST", "/_local/schedules/cron-daily");
  } finally {
    await setClock(null);
  }
  const page = await open("/?mode=pixel_reveal");
  await page.getByTestId("row").first().waitFor();
  await signIn(page, "Greta");
  const ranks = page.locator(".side").getByTestId("ranks");
  await ranks.locator("summary").click();
  await ranks.locator("li").nth(2).waitFor({ state: "attached" });
  const name = (ago) => when(ago).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
  assert.deepEqual(await ranks.locator("li").allTextContents(), [4, 3, 2].map((ago) => `${name(ago)}: #${places[ago]} (${500 + places[ago]})`));
  assert.deepEqual(await ranks.locator(".ends span").allTextContents(), [name(4), "Best: #1", name(2)]);
  const heights = (await ranks.locator("path").getAttribute("d")).slice(1).split("L").map((place) => Number(place.split(" ")[1]));
  assert.ok(heights[1] < heights[2] && heights[2] < heights[0], "a better rank is higher: " + heights);
}));

test("a rank that is not counted is in the text and not in the line", watched(async ({ open }) => {
  const page = await open("/?mode=pixel_reveal");
  let days = [{ date: "2026-11-20", score: 5 }, { date: "2026-11-19", rank: 1234, score: 70 }];
  await page.route("**/v1/me/ranks*", (route) => route.fulfill({ json: { player: "user_greta", mode: "pixel_reveal", ranks: days } }));
  await page.getByTestId("row").first().waitFor();
  await signIn(page, "Greta");
  const ranks = page.locator(".side").getByTestId("ranks");
  await ranks.locator("summary").click();
  await ranks.locator("svg").waitFor();
  assert.deepEqual(await ranks.locator("li").allTextContents(), ["19 Nov: #1,234 (70)", "20 Nov: #10,000+ (5)"]);
  assert.deepEqual(await ranks.locator(".ends span").allTextContents(), ["19 Nov", "Best: #1,234"]);
  assert.doesNotMatch(await ranks.locator("path").getAttribute("d"), /L/);
  days = days.slice(0, 1);
  await page.reload();
  await ranks.locator("summary").click();
  await ranks.locator("li").filter({ hasText: "20 Nov: #10,000+ (5)" }).waitFor();
  assert.equal(await ranks.locator("li").isVisible(), true, "as there is no line");
  assert.equal(await ranks.locator("svg").count(), 0);
}));
