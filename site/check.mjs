// Checks the built site: each link and anchor leads somewhere, each page can be reached from the
// first one, and nothing is loaded from another host.
import { readFileSync, readdirSync, existsSync } from "node:fs";
import { join, posix } from "node:path";

const dist = new URL(".vitepress/dist", import.meta.url).pathname;
const base = process.env.BASE ?? "/leaderboards/";
const faults = [];

const files = readdirSync(dist, { recursive: true }).filter((name) => name.endsWith(".html") && name !== "404.html");
const pages = new Map(files.map((name) => [name, readFileSync(join(dist, name), "utf8")]));
const ids = new Map([...pages].map(([name, html]) => [name, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]));

// fileOf returns the file behind a path of the site, as GitHub Pages finds it.
function fileOf(path) {
  const name = decodeURI(path.slice(base.length));
  return [name, name + ".html", posix.join(name, "index.html")].find((name) => name && !name.endsWith("/") && existsSync(join(dist, name)) && /\.\w+$/.test(name));
}

const links = new Map();
for (const [name, html] of pages) {
  const leads = new Set();
  links.set(name, leads);
  for (const [, at] of html.matchAll(/<(?:script|img|link|iframe)\b[^>]*? (?:src|href)="([^"]+)"/g)) {
    if (/^(https?:)?\/\//.test(at)) faults.push(`${name} loads ${at}`);
  }
  for (const [, href] of html.matchAll(/<a\b[^>]*? href="([^"]+)"/g)) {
    if (/^[a-z]+:/.test(href)) continue;
    const url = new URL(href.replaceAll("&amp;", "&"), "https://site.invalid" + base + name);
    const file = fileOf(url.pathname);
    if (!file) faults.push(`${name} links to ${href}`);
    else if (pages.has(file)) {
      leads.add(file);
      const anchor = decodeURIComponent(url.hash.slice(1));
      if (anchor && !ids.get(file).has(anchor)) faults.push(`${name} links to ${href}: no such heading`);
    }
  }
}

const reached = new Set(["index.html"]);
for (const name of reached) for (const file of links.get(name)) reached.add(file);
for (const name of pages.keys()) if (!reached.has(name)) faults.push(`no link leads to ${name}`);
if (pages.size < 50 || !pages.has("api/index.html")) faults.push("pages are missing");

for (const fault of faults) console.error(fault);
console.log(`${pages.size} pages, ${faults.length} faults`);
process.exit(faults.length ? 1 : 0);
