// Builds web/dist from web/src: one script for each page or widget, those that are loaded only
// when they are used, and the files that are copied unchanged. The same sources give the same
// bytes, so a test can check whether dist/ is stale. To build into another folder than dist/:
// node build.mjs FOLDER.
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "dist");

// Scripts: the source, and the name in dist/.
const scripts = {
  "src/page/page.ts": "page.js",
  "src/widget/leaderboards.ts": "leaderboards.js",
  "src/ops/ops.ts": "ops/ops.js",
  "src/typing/typing.ts": "play/typing/typing.js",
  "src/gallery/gallery.ts": "gallery/gallery.js",
};

// Scripts that another one loads when it needs them: the source, the name in dist/, and the
// script that loads them. What both use comes from that script, which exports it.
const lazy = {
  "src/page/chart.ts": ["chart.js", "page.js"],
  "src/page/poster.ts": ["poster.js", "page.js"],
  "src/parts/card.ts": ["card.js", "leaderboards.js"],
  "src/parts/podium.ts": ["podium.js"],
  "../sdk/js/src/stream.ts": ["stream.js"],
};

const shared = /\/(dom|format|player|row|styles|words)\.ts$/;

// Texts of other languages: the folder of the sources, and that in dist/.
const locales = {
  "src/parts/locales": "locales/board",
  "src/page/locales": "locales/page",
  "src/typing/locales": "locales/typing",
};

// Files that are copied unchanged: the source, and the name in dist/.
const copies = {
  "src/icon.svg": "icon.svg",
  "src/page/index.html": "index.html",
  "src/page/config.js": "config.js",
  "src/ops/index.html": "ops/index.html",
  "src/ops/ops.css": "ops/ops.css",
  "src/typing/index.html": "play/typing/index.html",
  "src/gallery/index.html": "gallery/index.html",
};

// Stylesheets that are linked: the sources, and the name in dist/.
const sheets = {
  "shell.css": ["src/parts/tokens.css", "src/page/shell.css"],
};

const tight = (css) => css.replace(/\/\*.*?\*\//gs, "").replace(/\s*\n\s*/g, "").replace(/\s*([{};,>])\s*/g, "$1").replaceAll(";}", "}").replaceAll(": ", ":");

// Removes the white space of the styles, which in the sources are written for people.
const styles = {
  name: "styles",
  setup({ onLoad }) {
    onLoad({ filter: /[/.]styles?\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      return { contents: source.replace(/`\n([^`]*)`/g, (_, css) => "`" + tight(css) + "`"), loader: "ts" };
    });
    onLoad({ filter: /\.css$/ }, async ({ path }) => ({ contents: tight(await readFile(path, "utf8")), loader: "text" }));
  },
};

// Leaves to the browser what is loaded when it is used, and, in such a script, what comes from
// the one that loads it.
const apart = (from, loader) => ({
  name: "apart",
  setup({ onResolve }) {
    const names = Object.values(lazy).map(([name]) => name);
    onResolve({ filter: /\.js$/ }, ({ path, kind }) => (kind === "dynamic-import" && names.includes(basename(path)) ? { path: posix.relative(posix.dirname(from), basename(path)).replace(/^(?!\.)/, "./"), external: true } : undefined));
    if (loader) onResolve({ filter: shared }, () => ({ path: "./" + loader, external: true }));
  },
});

const bundle = (source, name, loader, charset) =>
  build({
    entryPoints: [join(here, source)],
    outfile: join(out, name),
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    charset,
    legalComments: "none",
    plugins: [styles, apart(name, loader)],
  });

await rm(out, { recursive: true, force: true });
for (const [source, name] of Object.entries(scripts)) await bundle(source, name);
for (const [source, [name, loader]] of Object.entries(lazy)) await bundle(source, name, loader);
for (const [folder, into] of Object.entries(locales)) {
  for (const name of await readdir(join(here, folder))) await bundle(join(folder, name), join(into, name.replace(".ts", ".js")), "", "utf8"); // as which browsers read all modules
}
for (const [source, name] of Object.entries(copies)) {
  await mkdir(dirname(join(out, name)), { recursive: true });
  await cp(join(here, source), join(out, name));
}
for (const [name, sources] of Object.entries(sheets)) {
  const texts = await Promise.all(sources.map((source) => readFile(join(here, source), "utf8")));
  await writeFile(join(out, name), texts.map(tight).join(""));
}
