// The site is the pages of docs/, as they are. docs/README.md is its first page, and the lists
// under its headings are the sidebar.
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const docs = join(root, "docs");
const github = "https://github.com/framedle/leaderboards";
const base = process.env.BASE ?? "/leaderboards/";
const version = /^## \[*v?(\d+\.\d+\.\d+)/m.exec(readFileSync(join(root, "CHANGELOG.md"), "utf8"))[1];

const index = readFileSync(join(docs, "README.md"), "utf8");
const pageOf = (path) => "/" + path.replace(/README\.md$/, "").replace(/\.md$/, "");

const titleOf = (path) => /^# (.+)$/m.exec(readFileSync(join(docs, path), "utf8"))[1].replaceAll("`", "");

const decisions = readdirSync(join(docs, "decisions")).filter((name) => /^\d/.test(name)).sort();

const sections = [...index.matchAll(/^## (.+)\n\n((?:- .*\n)+)/gm)].map(([, text, rows]) => ({
  text,
  items: [...rows.matchAll(/^- \[([^\]]+)\]\(([^)]+\.md)\)(?:: (.*))?$/gm)].map(([, text, path, about]) => ({ text, path, about, link: pageOf(path) })),
}));

// What is listed in the sidebar but is no page of docs/.
const api = { text: "HTTP API reference", link: "/api/", target: "_self", about: "every route, rendered from the OpenAPI document" };

const sidebar = sections.map(({ text, items }) => ({
  text,
  collapsed: text === "Internals",
  items: items.map((item) =>
    item.path === "decisions/README.md" ? { text: item.text, link: item.link, collapsed: true, items: decisions.map((name) => ({ text: titleOf("decisions/" + name), link: pageOf("decisions/" + name) })) } : { text: item.text, link: item.link }),
}));
sidebar.find(({ text }) => text === "Reference").items.unshift(api);

// Links between pages stay as they are. One to a file outside of docs/ leads to GitHub, and one to
// a folder's README.md to the folder.
function followed(href, page) {
  if (/^[a-z]+:|^#/.test(href)) return href;
  const [path, anchor] = href.split("#");
  const target = posix.join("docs", dirname(page), path);
  const file = join(root, target);
  if (!existsSync(file)) throw new Error(`docs/${page} links to ${href}, which is not there`);
  if (target.startsWith("docs/") && target.endsWith(".md")) {
    return path.replace(/README\.md$/, "index.md") + (anchor === undefined ? "" : "#" + anchor);
  }
  if (target.startsWith("docs/img/")) return href;
  const kind = statSync(file).isDirectory() ? "tree" : "blob";
  return `${github}/${kind}/main/${target.replace(/\/$/, "")}` + (anchor === undefined ? "" : "#" + anchor);
}

// Anchors are those of GitHub, so that a link works on both.
const slugify = (heading) => heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");

export default defineConfig({
  title: "Framedle Leaderboards",
  description: "Serverless leaderboards for games, on Upstash Redis and AWS Lambda or Cloud Run.",
  lang: "en",
  base,
  srcDir: "../docs",
  rewrites: { "README.md": "index.md", "decisions/README.md": "decisions/index.md" },
  cleanUrls: true,
  lastUpdated: false,
  head: [["link", { rel: "icon", href: base + "icon.svg" }]],
  markdown: {
    anchor: { slugify },
    toc: { slugify },
    languageAlias: { logs: "sql" },
    config(md) {
      md.core.ruler.push("repository-links", ({ tokens, env }) => {
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          if (token.type === "code_inline") token.attrSet("v-pre", ""); // {{ is no expression there
          if (token.type === "link_open") token.attrSet("href", followed(token.attrGet("href"), env.relativePath.replace(/(^|\/)index\.md$/, "$1README.md")));
        }
      });
    },
  },
  vite: {
    publicDir: join(here, "../public"),
    // The pages are outside of this folder, so what they import is looked for from here.
    plugins: [{
      name: "from-here",
      enforce: "pre",
      resolveId(id, importer) {
        return importer?.startsWith(docs) && id.startsWith("vue") ? this.resolve(id, join(here, "config.mjs"), { skipSelf: true }) : null;
      },
    }],
    build: { chunkSizeWarningLimit: 2000 },
  },
  themeConfig: {
    nav: [
      { text: "Start", link: "/start/quick-start" },
      { text: "Build", link: "/build/api" },
      { text: "Operate", link: "/operate/deploy" },
      { text: "Reference", link: "/reference/games" },
      { text: "v" + version, link: github + "/blob/main/CHANGELOG.md" },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: "local" },
    editLink: { pattern: `${github}/edit/main/docs/:path`, text: "Edit this page" },
    socialLinks: [{ icon: "github", link: github }],
    footer: { message: "Apache 2.0" },
  },
  // The API reference, with the renderer beside it, and llms.txt.
  buildEnd({ outDir }) {
    const folder = join(outDir, "api");
    mkdirSync(folder, { recursive: true });
    copyFileSync(join(root, "api/openapi.yaml"), join(folder, "openapi.yaml"));
    // Without the logo that it would load from another host.
    const redoc = readFileSync(join(here, "../node_modules/redoc/bundles/redoc.standalone.js"), "utf8");
    writeFileSync(join(folder, "redoc.js"), redoc.replace("https://cdn.redoc.ly/redoc/logo-mini.svg", "data:,"));
    copyFileSync(join(here, "../reference/index.html"), join(folder, "index.html"));
    copyFileSync(join(here, "../reference/reference.js"), join(folder, "reference.js"));
    const site = "https://framedle.github.io" + base;
    const row = ({ text, link, about }) => `- [${text}](${site}${link.slice(1)})` + (about ? `: ${about}` : "");
    writeFileSync(join(outDir, "llms.txt"), [
      "# Framedle Leaderboards", "",
      "> Serverless leaderboards for games: Upstash Redis for live boards, Postgres for history, functions on AWS Lambda or Cloud Run. A game is a YAML file.", "",
      ...sections.flatMap(({ text, items }) => [`## ${text}`, "", ...(text === "Reference" ? [api, ...items] : items).map(row), ""]),
    ].join("\n"));
  },
});
