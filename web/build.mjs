// Builds web/dist from web/src: one script for each page or widget, and the files that are
// copied unchanged. The same sources give the same bytes, so a test can check whether dist/ is
// stale. To build into another folder than dist/: node build.mjs FOLDER.
import { cp, mkdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "dist");

// Scripts: the source, and the name in dist/.
const scripts = {
  "src/page/page.ts": "page.js",
  "src/page/chart.ts": "chart.js", // page.js loads it when the reader opens the distribution
  "src/widget/leaderboards.ts": "leaderboards.js",
  "src/ops/ops.ts": "ops/ops.js",
  "src/typing/typing.ts": "play/typing/typing.js",
};

// Files that are copied unchanged: the source, and the name in dist/.
const copies = {
  "src/icon.svg": "icon.svg",
  "src/page/index.html": "index.html",
  "src/page/config.js": "config.js",
  "src/ops/index.html": "ops/index.html",
  "src/ops/ops.css": "ops/ops.css",
  "src/typing/index.html": "play/typing/index.html",
};

// Removes the white space of the styles, which in the sources are written for people.
const styles = {
  name: "styles",
  setup({ onLoad }) {
    onLoad({ filter: /\/styles?\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const tight = (_, css) => "`" + css.replace(/\s*\n\s*/g, "").replace(/\s*([{};,])\s*/g, "$1").replaceAll(";}", "}").replaceAll(": ", ":") + "`";
      return { contents: source.replace(/`\n([^`]*)`/g, tight), loader: "ts" };
    });
  },
};

await rm(out, { recursive: true, force: true });
for (const [source, name] of Object.entries(scripts)) {
  await build({
    entryPoints: [join(here, source)],
    outfile: join(out, name),
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    legalComments: "none",
    external: ["*/chart.js"],
    plugins: [styles],
  });
}
for (const [source, name] of Object.entries(copies)) {
  await mkdir(dirname(join(out, name)), { recursive: true });
  await cp(join(here, source), join(out, name));
}
