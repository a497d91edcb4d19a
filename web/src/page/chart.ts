// The charts: a board's distribution, and a player's ranks over time. page.js loads this
// script when one is opened. What a chart shows is there as text too, so a reader who does not
// see it misses nothing.
import type { Distribution } from "../../../sdk/js/src/distribution.ts";
import { fill, h } from "../parts/dom.ts";
import type { Format, Scale } from "../parts/format.ts";
import { sheet } from "../parts/styles.ts";
import { words } from "./words.ts";

const style = `
.spread { table-layout: auto; margin-block-start: .5rem; }
.spread caption { text-align: start; color: var(--_muted); padding-block-end: .25rem; }
.lb .spread th, .lb .spread td { block-size: 1.75rem; font-variant-numeric: tabular-nums; padding-inline: .25rem; }
.spread th:first-child { inline-size: 1%; padding-inline-end: .75rem; }
.spread td > div { display: flex; align-items: center; gap: .4rem; }
.spread td i { flex: none; block-size: .9rem; border-radius: 3px; background: var(--_muted); opacity: .55; forced-color-adjust: none; }
.spread [aria-current] i { background: var(--_accent); opacity: 1; }
.spread td span { flex: none; }
.spread tr { cursor: default; }
.plot:dir(rtl) { transform: scaleX(-1); }
.line { fill: none; stroke: var(--_accent); stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round; vector-effect: non-scaling-stroke; }
.line + circle { fill: var(--_accent); }
.days { list-style: none; margin: 0; padding: 0; color: var(--_muted); font-variant-numeric: tabular-nums; }
`;

let styled = false;
let isOpen = false; // the table of the distribution

function dress(): void {
  if (!styled) document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet(style)];
  styled = true;
}

/** draw shows a distribution in an element: columns, and a table, which has the best scores first, as boards do. */
export function draw(into: Element, { buckets, total, me, stale, history }: Distribution, format: Format, { decimals, ascending }: Scale): void {
  dress();
  if (!total) return fill(into, h("p", {}, history ? words.noHistory : words.empty));
  // If the mode has several values, the buckets are of the first.
  const [name, places] = typeof decimals === "object" ? Object.entries(decimals)[0]! : [words.score, decimals];
  const number = (n: number) => format.scores({ score: n }, places)[0]![1];
  const most = Math.max(...buckets.map(({ players }) => players));
  const column = ({ players }: Distribution["buckets"][number], i: number) => {
    const bar = h("i", { class: i === me?.bucket && "on" });
    bar.style.blockSize = `${(100 * players) / most}%`;
    return bar;
  };
  const row = ({ from, to, players }: Distribution["buckets"][number], i: number) => {
    const bar = h("i");
    bar.style.inlineSize = `calc((100% - 6rem) * ${players / most})`; // 6rem: the number, and "you"
    const isOwn = i === me?.bucket;
    return h(
      "tr",
      { "aria-current": isOwn && "true" },
      h("th", { scope: "row" }, from === to ? number(from) : `${number(from)} – ${number(to)}`),
      h("td", {}, h("div", {}, players > 0 && bar, h("span", {}, format.count(players)), isOwn && h("span", { class: "you" }, words.you))),
    );
  };
  const rows = buckets.map(row);
  if (!ascending) rows.reverse();
  const columns = buckets.map(column);
  if (ascending) columns.reverse(); // better to the right
  const [first, last] = [number(buckets[0]!.from), number(buckets.at(-1)!.to)];
  const all = format.plural(total, words.players);
  fill(
    into,
    !!stale && h("p", { class: "message" }, words.stale),
    h("div", { class: "spread-columns", "aria-hidden": "true" }, ...columns),
    h("div", { class: "ends", "aria-hidden": "true" }, h("span", {}, ascending ? last : first), h("span", {}, ascending ? first : last)),
    !!me && total > 1 && h("p", {}, words.beat(format.percent(Math.max(0, 100 - me.top_percent)))),
    h("details", { open: isOpen, "data-testid": "spread-table", ontoggle: (event: Event) => (isOpen = (event.currentTarget as HTMLDetailsElement).open) }, h("summary", { class: "small" }, words.distributionTable), h(
      "table",
      { class: "spread" },
      h("caption", {}, me ? `${all}. ${words.you}: ${number(me.values ? Object.values(me.values)[0]! : me.score)}, ${words.top(format.percent(me.top_percent))}.` : `${all}.`),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, name.replaceAll("_", " ")), h("th", { scope: "col" }, words.playersColumn))),
      h("tbody", {}, ...rows),
    )),
  );
}

const mostRank = 10_000; // that the API counts

/** Day is one day of a line. */
export interface Day {
  when: string;
  rank?: number | undefined; // undefined: above mostRank
  score: string;
}

/** line shows ranks over time, the latest last, and rank 1 at the top. Days without a rank are only in the text. */
export function line(into: Element, days: Day[], format: Format): void {
  dress();
  if (!days.length) return fill(into, h("p", {}, words.ranksEmpty));
  const sign = (rank: number) => words.rankSign(format.count(rank));
  const list = (name: string) => h("ul", { class: name }, ...days.map(({ when, rank, score }) => h("li", {}, `${when}: ${rank ? sign(rank) : words.rankSign(format.count(mostRank) + "+")} (${score})`)));
  const ranked = days.filter((day) => day.rank);
  if (!ranked.length) return fill(into, list("days"));
  const space = "http://www.w3.org/2000/svg";
  const ranks = ranked.map(({ rank }) => rank!);
  const [best, worst] = [Math.min(...ranks), Math.max(...ranks)];
  const [width, height] = [280, 70];
  const at = (rank: number, i: number) => {
    const share = best === worst && best > 1 ? 0.5 : (rank - 1) / Math.max(1, worst - 1);
    return [ranks.length > 1 ? (i / (ranks.length - 1)) * width : width / 2, 6 + (height - 12) * share] as const;
  };
  const places = ranks.map(at);
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", `-4 0 ${width + 8} ${height}`);
  svg.setAttribute("class", "plot");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("class", "line");
  path.setAttribute("d", "M" + places.map((place) => place.map((n) => n.toFixed(1)).join(" ")).join("L"));
  const dot = document.createElementNS(space, "circle");
  const [x, y] = places.at(-1)!;
  for (const [name, value] of Object.entries({ cx: x, cy: y, r: 4 })) dot.setAttribute(name, String(value));
  svg.append(path, dot);
  fill(
    into,
    svg,
    h("div", { class: "ends", "aria-hidden": "true" }, h("span", {}, ranked[0]!.when), h("span", {}, words.ranksBest(sign(best))), ranks.length > 1 && h("span", {}, ranked.at(-1)!.when)),
    list("unseen"),
  );
}
