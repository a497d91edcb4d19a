// The package's wrappers, each in a small app that is built as its users build theirs.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { eventually, submit, token, url, watched } from "./support.mjs";

const sdk = join(import.meta.dirname, "../../sdk/js");
const of = createRequire(join(sdk, "package.json"));
const { build } = of("esbuild");

// Has Svelte compile its components.
const svelte = {
  name: "svelte",
  setup({ onLoad }) {
    onLoad({ filter: /\.svelte$/ }, async ({ path }) => {
      const { default: { compile } } = await import(of.resolve("svelte/compiler"));
      return { contents: compile(await readFile(path, "utf8"), { filename: path, generate: "client" }).js.code };
    });
  },
};

async function built(name) {
  const { outputFiles } = await build({
    entryPoints: [join(sdk, "test/frameworks", name)], bundle: true, write: false, format: "esm", target: "es2022", jsx: "automatic", plugins: [svelte],
    conditions: ["browser", "svelte"], define: { "process.env.NODE_ENV": '"production"', __VUE_OPTIONS_API__: "false", __VUE_PROD_DEVTOOLS__: "false", __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false" },
  });
  return outputFiles[0].text;
}

const apps = {};
let server, origin, given;

before(async () => {
  server = createServer((request, response) => {
    const name = request.url.slice(1);
    if (name.endsWith(".js")) return response.writeHead(200, { "Content-Type": "text/javascript" }).end(apps[name.slice(0, -3)]);
    response.writeHead(apps[name] ? 200 : 204, { "Content-Type": "text/html" });
    response.end(`<!doctype html><html lang="en"><title>App</title><div id="app"></div><script>window.given = ${JSON.stringify(given)}</script>
      <script type="module" src="${url}/leaderboards.js"></script><script type="module" src="/${name}.js"></script></html>`);
  });
  await new Promise((go) => server.listen(0, "127.0.0.1", go));
  origin = `http://127.0.0.1:${server.address().port}`;
  await submit(Array.from({ length: 20 }, (_, i) => ({ mode: "daily_frame", player: "user_p" + i, score: 900 - i })));
  given = { api: url, token: await token("user_p3") };
  for (const [name, source] of Object.entries({ react: "react.jsx", vue: "vue.js", svelte: "svelte.js" })) apps[name] = await built(source);
});
after(() => server.close());

for (const name of ["react", "vue", "svelte"]) {
  test(`a board in an app of ${name} loads once, and tells the app what happens`, watched(async ({ open }) => {
    const page = await open(`${origin}/${name}`, { origins: [origin], still: true });
    await page.getByTestId("row").nth(4).waitFor();
    await eventually(() => page.getByTestId("my-rank").allTextContents(), (texts) => texts.join() === "Rank #4,Rank #4");
    const told = (text) => eventually(() => page.locator("#told").textContent(), (is) => is === text);
    await told(" of 20, function");
    const boards = () => page.watch.api().filter((request) => request.includes("/leaderboards/daily_frame?"));
    assert.deepEqual(boards(), ["GET /v1/leaderboards/daily_frame?period=day&limit=5"]);
    const { classes, attributes } = await page.locator("framedle-leaderboard").evaluate((element) => ({ classes: element.className, attributes: ["podium", "live"].map((name) => element.hasAttribute(name)) }));
    assert.equal(classes, "mine");
    assert.deepEqual(attributes, [true, false]);
    const asked = page.watch.api().length;
    await page.locator("#draw").click();
    await page.locator("#draw").filter({ hasText: "1" }).waitFor();
    await page.getByTestId("row").first().getByRole("button").click();
    await told("user_p0 of 20, function");
    assert.equal(await page.getByTestId("card").count(), 0, "the app has taken over");
    assert.equal(page.watch.api().length, asked, "drawn again, with new functions, it asks for nothing");
    await page.evaluate(() => window.end());
    await eventually(() => page.locator("framedle-leaderboard").count(), (n) => n === 0);
  }));
}
