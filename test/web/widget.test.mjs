import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { ofColours, violations } from "./axe.mjs";
import { call, eventually, submit, token, url, watched } from "./support.mjs";
import { themes, wear } from "./themes.mjs";

// Somebody else's page, on another origin, that allows the widget's host and nothing else.
const policy = `default-src 'none'; script-src ${url}; connect-src ${url}; base-uri 'none'; form-action 'none'`;
let foreign, origin, body;

before(async () => {
  foreign = createServer((request, response) => {
    if (request.url !== "/") return response.writeHead(204).end();
    response.writeHead(200, { "Content-Type": "text/html", "Content-Security-Policy": policy });
    response.end(`<!doctype html><html lang="en"><title>Elsewhere</title><meta name="viewport" content="width=device-width"><main><h1>Here</h1>
      <script type="module" src="${url}/leaderboards.js"></script>${body}</main></html>`);
  });
  await new Promise((go) => foreign.listen(0, "127.0.0.1", go));
  origin = `http://127.0.0.1:${foreign.address().port}`;
  await submit(Array.from({ length: 30 }, (_, i) => ({ mode: "daily_frame", player: "user_p" + i, score: 900 - i, country: "BR" })));
});
after(() => foreign.close());

async function embed(open, html, options) {
  body = html;
  return open(origin + "/", { origins: [origin], ...options });
}

const element = `<framedle-leaderboard api="${url}" mode="daily_frame" limit="10"></framedle-leaderboard>`;

test("two lines of HTML show a board in a foreign page, at one request and one command", watched(async ({ open }) => {
  await (await embed(open, element)).getByTestId("row").nth(9).waitFor(); // names and total are known now
  await call("DELETE", "/_local/usage");
  const page = await embed(open, element.replace("daily_frame", "year_guesser"), { still: true });
  await page.getByTestId("note").waitFor();
  assert.deepEqual(page.watch.api(), ["GET /v1/leaderboards/year_guesser?period=day&limit=10"]);
  assert.equal(page.watch.requests.filter((r) => r.method === "OPTIONS").length, 0);
  const { by_function } = await call("GET", "/_local/usage");
  assert.equal(by_function.leaderboard.commands, 1, JSON.stringify(by_function)); // not what runs in the background
}));

test("attributes change it, more rows come, cards open, events tell", watched(async ({ open }) => {
  const page = await embed(open, element, { still: true });
  await page.getByTestId("row").nth(9).waitFor();
  assert.equal(await page.getByTestId("players").textContent(), "30 players");
  await page.getByTestId("more").click();
  await eventually(() => page.getByTestId("row").count(), (n) => n === 20);
  await page.getByTestId("row").first().getByRole("button").click();
  await page.getByTestId("card-rank").filter({ hasText: "1 of 30" }).waitFor();
  await page.keyboard.press("Escape");
  await page.evaluate(() => {
    window.told = [];
    for (const name of ["board", "player", "error"]) document.addEventListener("framedle:" + name, (e) => (window.told.push(name), name === "player" && e.preventDefault()));
    const widget = document.querySelector("framedle-leaderboard");
    widget.setAttribute("period", "week");
    widget.setAttribute("limit", "5");
  });
  await eventually(() => page.getByTestId("row").count(), (n) => n === 5);
  await page.getByTestId("row").first().getByRole("button").click();
  assert.equal(await page.getByTestId("card").isVisible(), false, "the page has taken over");
  assert.deepEqual(await page.evaluate(() => window.told), ["board", "player"]);
  assert.equal(page.watch.api().filter((r) => r.includes("period=week")).length, 1, "attributes set together are one request");
}));

test("the package's custom-elements.json says what the elements are", watched(async ({ open }) => {
  const page = await embed(open, element);
  await page.getByTestId("row").nth(9).waitFor();
  const { modules } = JSON.parse(await readFile("../../sdk/js/custom-elements.json", "utf8"));
  assert.equal(modules[0].declarations.length, 2);
  for (const { tagName, attributes, members, cssParts } of modules[0].declarations) {
    const is = await page.evaluate((tag) => {
      const of = customElements.get(tag);
      return { attributes: of.observedAttributes, has: ["getToken", "played", "reload"].filter((name) => name in of.prototype) };
    }, tagName);
    assert.deepEqual(attributes.map(({ name }) => name).sort(), is.attributes.sort(), tagName);
    assert.deepEqual(members.map(({ name }) => name).sort(), is.has, tagName);
    for (const name of await page.locator(tagName + " [part]").evaluateAll((all) => all.map((part) => part.getAttribute("part")))) for (const part of name.split(" ")) assert.ok(cssParts.some(({ name }) => name === part), part);
  }
}));

test("a token comes by property, and shows the own standing", watched(async ({ open }) => {
  const page = await embed(open, element + `<framedle-rank api="${url}" mode="daily_frame"></framedle-rank>`);
  await page.getByTestId("row").nth(9).waitFor();
  await page.getByTestId("no-rank").filter({ hasText: "Sign in" }).waitFor();
  assert.ok(page.watch.requests.every((r) => !r.headers.authorization));
  const kept = await token("user_p20");
  await page.evaluate((kept) => {
    for (const widget of document.querySelectorAll("framedle-leaderboard, framedle-rank")) widget.getToken = async () => kept;
  }, kept);
  await eventually(() => page.getByTestId("my-rank").allTextContents(), (texts) => texts.join() === "Rank #21,Rank #21");
  await page.locator("tfoot [data-testid=row][data-rank='21'][aria-current=true]").waitFor();
  assert.ok(page.watch.requests.filter((r) => r.url.includes("?period=day&limit")).every((r) => !r.headers.authorization));
  const answer = await call("POST", "/v1/scores", { mode: "clip_guesser", score: 300 }, { Authorization: "Bearer " + kept });
  await page.evaluate((answer) => {
    const widget = document.querySelector("framedle-leaderboard");
    widget.setAttribute("mode", "clip_guesser");
    return new Promise((go) => widget.addEventListener("framedle:board", go, { once: true })).then(() => widget.played(answer));
  }, answer);
  await page.locator("tbody [data-testid=row][data-player=user_p20]").waitFor();
}));

test("names are whole in a column of 300 pixels, and in text of 200 % on a phone", watched(async ({ open }) => {
  const page = await embed(open, `<div>${element}</div>`, { viewport: { width: 1280, height: 740 } });
  await page.evaluate(() => (document.querySelector("div").style.inlineSize = "300px"));
  await page.getByTestId("row").nth(9).waitFor();
  // How much of each name is seen, in em: eight letters or more, if it is cut. The name cuts itself.
  const cut = () => page.locator("[data-testid=row] bdi").evaluateAll((all) => all.filter((name) => name.scrollWidth > name.clientWidth).map((name) => [name.textContent, name.clientWidth / parseFloat(getComputedStyle(name).fontSize)]));
  assert.deepEqual(await cut(), []);
  const kept = await token("user_p3", { name: "Kavi Pine" });
  await page.evaluate((kept) => (document.querySelector("framedle-leaderboard").getToken = async () => kept, document.querySelector("div").style.inlineSize = "254px"), kept);
  await page.locator("tbody [aria-current=true] .you").waitFor();
  assert.deepEqual(await cut(), []);
  await page.evaluate(() => (document.documentElement.style.fontSize = "200%", document.querySelector("div").style.inlineSize = ""));
  await page.setViewportSize({ width: 360, height: 740 });
  for (const [name, ems] of await cut()) assert.ok(ems >= 4, `${name} has ${ems} em`);
  assert.ok(await page.locator("tbody [aria-current=true] .you").isVisible());
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
}));

test("no hole is above Show more, and nothing moves as rows come in or pass by", watched(async ({ open }) => {
  const kept = await token("user_p3");
  for (const [attributes, width, signedIn] of [["", 600, false], ["", 300, false], ["compact", 300, false], ["", 600, true]]) {
    body = `${element.replace("limit", attributes + " limit")}<p>Below</p>`;
    const page = await open(undefined, { origins: [origin], viewport: { width, height: 500 }, still: true });
    let go;
    const held = new Promise((resolve) => (go = resolve));
    await page.route("**/v1/leaderboards/**", async (route) => (await held, route.continue()));
    await page.goto(origin + "/");
    await page.locator(".skeleton").first().waitFor();
    await page.evaluate(() => {
      document.querySelector("p").style.cssText = "margin-block-start: 300px; block-size: 900px"; // the button for more comes with the rows
      return new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
    });
    await page.evaluate(() => {
      window.shifts = [];
      new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((e) => e.value))).observe({ type: "layout-shift" });
    });
    go();
    if (signedIn) await page.evaluate((kept) => (document.querySelector("framedle-leaderboard").getToken = async () => kept), kept);
    await page.getByTestId("row").nth(9).waitFor();
    if (signedIn) await page.locator("tbody [aria-current=true]").waitFor();
    const gap = (await page.getByTestId("more").boundingBox()).y - (await page.locator("tbody tr").last().evaluate((row) => row.getBoundingClientRect().bottom));
    assert.ok(gap >= 0 && gap < 24, `${attributes} ${width} ${signedIn}: ${gap} pixels`);
    for (let y = 0; y <= 700; y += 50) await page.evaluate((y) => new Promise((go) => (scrollTo(0, y), requestAnimationFrame(() => requestAnimationFrame(go)))), y);
    const shifts = await page.evaluate(() => window.shifts);
    assert.ok(shifts.reduce((a, b) => a + b, 0) < 0.02, `layout shifts: ${shifts}`);
  }
}));

test("an element without rows shows no heads of columns, and an error no space for a rank", watched(async ({ open }) => {
  const page = await embed(open, element, { allow: [/Failed to load resource/], still: true });
  await page.getByTestId("row").nth(9).waitFor();
  await page.route("**/v1/leaderboards/**", (route) => route.fulfill({ status: 500, contentType: "application/problem+json", headers: { "Access-Control-Allow-Origin": "*" }, body: '{"status":500,"code":"internal-server-error"}' }));
  await page.evaluate(() => document.querySelector("framedle-leaderboard").setAttribute("period", "week"));
  await page.getByTestId("error").waitFor();
  assert.equal(await page.locator("thead").isVisible(), false);
  const top = (await page.getByTestId("error").boundingBox()).y - (await page.locator("framedle-leaderboard").boundingBox()).y;
  assert.ok(top < 16, `${top} pixels`);
}));

test("a live board moves by itself", watched(async ({ open }) => {
  const page = await embed(open, `<framedle-leaderboard api="${url}" mode="sound_only" live></framedle-leaderboard>`);
  await page.getByTestId("note").waitFor();
  await submit([{ mode: "sound_only", player: "user_live", score: 5 }]);
  await page.getByTestId("row").first().waitFor();
}));

test("it looks like the page it is in, and bars nobody", watched(async ({ open }) => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await embed(open, element, { colorScheme });
    await page.evaluate(() => (document.documentElement.style.colorScheme = "light dark"));
    await page.getByTestId("row").nth(9).waitFor();
    assert.deepEqual(await violations(page), [], colorScheme);
  }
  const page = await embed(open, element, { viewport: { width: 320, height: 640 } });
  await page.getByTestId("row").nth(9).waitFor();
  for (const theme of themes) {
    await wear(page, theme);
    const background = await page.locator("framedle-leaderboard").evaluate((e) => getComputedStyle(e).backgroundColor);
    const probe = await page.evaluate((colour) => {
      const e = document.createElement("i");
      e.style.color = colour;
      return document.body.appendChild(e), getComputedStyle(e).color;
    }, theme.variables["--variant-bg"]);
    assert.equal(background, probe, theme.name);
    await page.evaluate(() => (document.body.style.background = "var(--variant-bg)", document.querySelector("h1").style.color = "var(--variant-fg)"));
    assert.deepEqual(await violations(page, ofColours), [], theme.name);
    await page.evaluate(() => document.querySelectorAll("body > i").forEach((e) => e.remove()));
  }
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
}));

test("an API that is not there is told, not thrown", watched(async ({ open }) => {
  const page = await embed(open, element.replace(url, origin + "/nowhere"), { allow: [/Failed to load resource/, /blocked by CORS/, /Content Security Policy/] });
  await page.getByTestId("error").waitFor();
}));
