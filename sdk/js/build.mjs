// Builds src/types.gen.ts from the API's document, and dist/ from src/. The same sources give
// the same bytes, so a test can check whether either is stale. To write both into another
// folder than the package's own: node build.mjs FOLDER.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import openapiTS, { astToString } from "openapi-typescript";

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? here;
const dist = join(folder, "dist");

const types = astToString(await openapiTS(new URL("../../api/openapi.yaml", import.meta.url)));
await mkdir(join(folder, "src"), { recursive: true });
await writeFile(join(folder, "src/types.gen.ts"), "// Generated from api/openapi.yaml by `make web`.\n\n" + types);

// One module for each source, for bundlers, Node and people who step through the code.
await rm(dist, { recursive: true, force: true });
execFileSync(process.execPath, [join(here, "node_modules/typescript/bin/tsc"), "-p", here, "--outDir", dist], { stdio: "inherit" });
for (const empty of ["types.js", "types.gen.js"]) await rm(join(dist, empty)); // these have only types

// One minified file, for pages without a build of their own.
await build({
  entryPoints: [join(here, "src/index.ts")],
  outfile: join(dist, "leaderboards.min.js"),
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "none",
});
