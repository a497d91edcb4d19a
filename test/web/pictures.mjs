// Takes the pictures of README.md and docs/, of a demonstration that runs: see scripts/pictures.sh.
import { createServer } from "node:http";
import { chromium } from "playwright-core";

const [url, folder] = process.argv.slice(2);
const { ops_token: token } = await (await fetch(url + "/_local/secrets")).json();
// Some play each second.
for (let total = 0; total < 40; await new Promise((go) => setTimeout(go, 1000))) ({ total } = await (await fetch(url + "/v1/leaderboards/daily_frame?limit=1")).json());
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });

async function open(path, options) {
  const context = await browser.newContext({ baseURL: url, locale: "en-GB", timezoneId: "UTC", reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

const take = async (page, name, of = page) => {
  await page.waitForLoadState("networkidle").catch(() => {}); // a stream may stay open
  await of.screenshot({ path: `${folder}/${name}.png` });
  console.log(name);
};

async function played(options, path = "/") {
  const page = await open(path, options);
  await page.getByTestId("sign-in-name").fill("Robin");
  await page.getByTestId("sign-in").click();
  await page.getByTestId("no-rank").or(page.getByTestId("my-rank")).first().waitFor();
  if (await page.getByTestId("no-rank").isVisible()) {
    await page.getByTestId("play-score").fill("930");
    await page.getByTestId("play").click();
    await page.getByTestId("my-rank").waitFor();
    await page.getByTestId("moment").click({ timeout: 5000 }).catch(() => {}); // Robin may have played in another picture
  }
  await page.mouse.move(0, 0);
  await page.evaluate(() => scrollTo(0, 0));
  return page;
}

const wide = { viewport: { width: 1280, height: 860 } };
const phone = { viewport: { width: 375, height: 720 }, deviceScaleFactor: 2 };
const page = await played(wide);
await take(page, "page-light");
await page.getByTestId("tab-league").click();
await page.getByTestId("league-tier").filter({ hasText: /./ }).waitFor();
await take(page, "league");
await take(await played({ ...wide, colorScheme: "dark" }), "page-dark");
await take(await played(phone), "phone");

// A web page of somebody else's, in its own colours.
const html = `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><style>
  body { margin: 0; padding: 24px 48px; font: 16px/1.5 Georgia, serif; background: #faf3e0; color: #2d2416; --lb-background: #fffaf0; --lb-text: #2d2416; --lb-muted: #6b5e4c; --lb-accent: #a4501f; --lb-border: #d9c6a0; }
  main { display: grid; grid-template-columns: 1fr 400px; gap: 40px; }
</style><main><div><h1>The Daily Film</h1><p>One frame, six guesses. Yesterday’s film was a western from 1968; today’s is anything but.</p><p>Today’s best guessers are on the right. Play, and be one of them.</p></div>
<framedle-leaderboard api="${url}" mode="daily_frame" limit="8" heading="Today"></framedle-leaderboard></main>
<script type="module" src="${url}/leaderboards.js"></script>`;
const elsewhere = createServer((_, response) => response.writeHead(200, { "Content-Type": "text/html" }).end(html));
await new Promise((go) => elsewhere.listen(0, "127.0.0.1", go));
const other = await open(`http://127.0.0.1:${elsewhere.address().port}/`, { viewport: { width: 900, height: 560 } });
await other.getByTestId("row").nth(7).waitFor();
await take(other, "widget");

const ops = await open("/ops/", { viewport: { width: 1280, height: 800 } });
await ops.getByTestId("token").fill(token);
await ops.getByTestId("sign-in").click();
await ops.getByTestId("players-today").waitFor();
await ops.locator("[data-testid=log][aria-busy=false]").waitFor({ state: "attached" });
await take(ops, "ops-first-screen");
await ops.getByTestId("to-routes").click();
await take(ops, "ops-routes", ops.getByTestId("routes"));
elsewhere.closeAllConnections();
elsewhere.close();
await browser.close();
