// The texts in other languages than English, and in one that nobody speaks, whose texts are
// marked and longer.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { violations } from "./axe.mjs";
import { eventually, play, signIn, submit, url, watched } from "./support.mjs";

before(() => submit(Array.from({ length: 60 }, (_, i) => ({ mode: "daily_frame", player: "user_p" + i, score: 900 - i, country: "BR" }))));

const scripts = (page) => page.watch.requests.map((r) => new URL(r.url).pathname).filter((path) => path.includes("/locales/"));

const firsts = { "de-AT": ["de", "Ranglisten", "Tippen"], "es-MX": ["es", "Clasificaciones", "Mecanografía"], "fr-CA": ["fr", "Classements", "Dactylo"], "pt-PT": ["pt-BR", "Rankings", "Digitação"], ja: ["ja", "ランキング", "タイピング"], "ar-EG": ["ar", "الترتيب", "الكتابة السريعة"] };

for (const [locale, [language, boards, typing]] of Object.entries(firsts)) {
  test(`a browser of ${locale} gets texts in ${language}, by one script`, watched(async ({ open }) => {
    const page = await open("/", { locale, still: true });
    await page.getByTestId("row").first().waitFor();
    assert.equal(await page.getByTestId("tab-boards").textContent(), boards);
    assert.equal(await page.evaluate(() => document.documentElement.lang), language);
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).direction), language === "ar" ? "rtl" : "ltr");
    assert.deepEqual(scripts(page), [`/locales/page/${language}.js`]);
    await page.goto("/play/typing/");
    await page.locator("h1").filter({ hasText: typing }).waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByTestId("to-sign-in").waitFor();
    assert.ok((await page.locator("header").boundingBox()).height < 60, "the header is one line");
  }));
}

test("English needs no script, also for who reads another language that there is not", watched(async ({ open }) => {
  const page = await open("/", { locale: "nl-NL", still: true });
  await page.getByTestId("row").first().waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "en");
  assert.equal(await page.getByTestId("tab-boards").textContent(), "Boards");
  assert.deepEqual(scripts(page), []);
}));

// pseudo marks the texts of a script, and makes them longer by two fifths.
const pseudo = `
import texts from "./de.js?plain";
const marked = (text) => text && "⟦" + text + (text.length < 12 ? "~".repeat(Math.ceil(text.length * 0.4)) : " ~~~~".repeat(Math.ceil(text.length * 0.08))) + "⟧";
const made = (text) => (typeof text === "string" ? marked(text) : typeof text === "function" ? (...given) => marked(text(...given)) : Object.fromEntries(Object.entries(text).map(([name, text]) => [name, made(text)])));
export default { ...made(texts), language: "de" };`;

// unmarked are the texts that a page shows or tells screen readers without marks; those of a game
// and of players, dates and countries have none.
const unmarked = (page) => page.evaluate(() => {
  const others = "bdi, h1, caption, .logo, .flag, time, select[data-testid=mode], [data-testid=country] option, [data-testid=groups] option, [data-testid=period], .player .picture, .face, .badges strong, .ladder, .league td small, textarea, canvas, [data-testid=text]";
  const texts = [];
  const add = (text, element) => {
    if (element.closest(others) || !element.checkVisibility({ visibilityProperty: true })) return;
    for (let plain = text; ; plain = text) {
      text = text.replace(/⟦[^⟦⟧]*⟧/g, "");
      if (text === plain) break;
    }
    if (/\p{L}{2}/u.test(text)) texts.push(text.trim());
  };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) if (!/SCRIPT|STYLE|NOSCRIPT/.test(walk.currentNode.parentElement.tagName)) add(walk.currentNode.data, walk.currentNode.parentElement);
  for (const element of document.querySelectorAll("[aria-label], [placeholder]")) for (const name of ["aria-label", "placeholder"]) add(element.getAttribute(name) ?? "", element);
  return texts;
});

for (const width of [320, 1280]) {
  test(`all texts of the page are in one place, and longer ones fit into ${width} pixels`, watched(async ({ open }) => {
    const page = await open(undefined, { locale: "de-DE", still: true, viewport: { width, height: 700 } });
    await page.route("**/locales/page/de.js", (route) => route.fulfill({ contentType: "text/javascript", body: pseudo }));
    await page.goto("/");
    const fits = async (where) => {
      assert.deepEqual(await unmarked(page), [], where);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), where + " is wider than the window");
    };
    await page.getByTestId("row").first().waitFor();
    await fits("signed out");
    await signIn(page, String(width));
    await play(page, 100);
    await page.getByTestId("my-rank").waitFor();
    await fits("boards");
    await page.getByTestId("moment").click({ position: { x: 4, y: 4 } });
    await page.getByTestId("spread").locator("summary").first().click();
    await page.getByTestId("spread-table").waitFor();
    await fits("distribution");
    await page.getByTestId("share").click();
    await page.getByTestId("share-save").waitFor();
    await fits("share");
    await page.getByTestId("share-close").click();
    await page.getByTestId("who").selectOption("country");
    await fits("countries");
    await page.getByTestId("row").first().getByRole("button").click();
    await page.getByTestId("card-rank").waitFor();
    await fits("card");
    await page.getByTestId("card-close").click();
    for (const tab of ["friends", "duels", "league"]) {
      await page.getByTestId("tab-" + tab).click();
      await page.getByTestId(tab === "league" ? "league" : tab + "-lists").waitFor();
      await page.locator("[aria-busy=true]").filter({ visible: true }).waitFor({ state: "detached" });
      await fits(tab);
    }
  }));
}

test("from right to left nothing bars anybody, and nothing is wider than a phone", watched(async ({ open }) => {
  const page = await open("/", { locale: "ar-EG", still: true, viewport: { width: 360, height: 740 } });
  await signIn(page, "قارئ");
  await play(page, 120);
  await page.getByTestId("my-rank").waitFor();
  const fine = async (where) => {
    assert.deepEqual(await violations(page), [], where);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), where);
  };
  await fine("boards");
  await page.getByTestId("row").first().getByRole("button").click();
  await page.getByTestId("card-rank").waitFor();
  await fine("card");
  await page.getByTestId("card-close").click();
  for (const tab of ["friends", "duels"]) {
    await page.getByTestId("tab-" + tab).click();
    await page.getByTestId(tab + "-lists").waitFor();
    await page.locator("[data-testid=board][aria-busy=false]").waitFor();
    await fine(tab);
  }
}));

test("texts from left to right are whole in a page from right to left", watched(async ({ open }) => {
  const page = await open("/?tab=week", { still: true });
  await page.getByTestId("row").first().waitFor();
  await signIn(page, "Ltr");
  assert.equal(await page.getByTestId("play-score").evaluate((input) => getComputedStyle(input, "::placeholder").unicodeBidi), "plaintext");
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  await page.getByTestId("period-before").click();
  await page.getByTestId("period").filter({ hasText: "–" }).waitFor();
  await page.getByTestId("players").filter({ hasText: "players" }).waitFor();
  for (const part of ["period", "players"]) {
    const [first, last] = await page.getByTestId(part).evaluate(({ firstChild: text }) => [0, text.length - 1].map((at) => {
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      return range.getBoundingClientRect().left;
    }));
    assert.ok(first < last, `${part} begins at ${first}, and ends at ${last}`);
  }
}));

test("an element's language is that of its texts, which can be replaced, and change", watched(async ({ open }) => {
  const page = await open("/", { locale: "en-GB", still: true });
  await page.getByTestId("row").first().waitFor();
  await page.evaluate(async (url) => {
    const { words } = await import(url + "/leaderboards.js");
    Object.assign(words, { score: "Tore" });
    const widget = document.createElement("framedle-leaderboard");
    for (const [name, value] of Object.entries({ api: url, mode: "daily_frame", lang: "de" })) widget.setAttribute(name, value);
    document.body.replaceChildren(widget);
  }, url);
  await page.getByTestId("players").filter({ hasText: /\d+ Spieler/ }).waitFor();
  assert.deepEqual(await page.locator("thead th").allTextContents(), ["Platz", "Spieler", "Tore"]);
  assert.deepEqual(scripts(page), ["/locales/board/de.js"]);
  await page.evaluate(() => document.querySelector("framedle-leaderboard").setAttribute("lang", "en"));
  await page.getByTestId("players").filter({ hasText: /\d+ players/ }).waitFor();
  await eventually(() => page.locator("thead th").allTextContents(), (texts) => texts.join() === "Rank,Player,Tore");
}));

test("a language that cannot be loaded costs nothing but itself", watched(async ({ open }) => {
  const page = await open(undefined, { locale: "fr-FR", still: true, allow: [/locales\/page\/fr\.js|status of 404/] });
  await page.route("**/locales/page/fr.js", (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto("/");
  await page.getByTestId("row").first().waitFor();
  assert.equal(await page.getByTestId("tab-boards").textContent(), "Boards");
}));
