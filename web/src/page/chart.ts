// The chart of a board's distribution. It is a table with a bar in each row; each bar has its
// numbers as text, so a reader who does not see the bars misses nothing.
import type { Distribution } from "../../../sdk/js/src/distribution.ts";
import { fill, h } from "../parts/dom.ts";
import type { Format, Scale } from "../parts/format.ts";
import { sheet } from "../parts/styles.ts";
import { words } from "../parts/words.ts";

const style = `
.spread { table-layout: auto; }
.spread caption { text-align: start; color: var(--_muted); padding-block-end: .25rem; }
.spread th, .spread td { block-size: 1.75rem; font-variant-numeric: tabular-nums; }
.spread th:first-child { inline-size: 1%; padding-inline-end: 1rem; }
.spread td > div { display: flex; align-items: center; gap: .4rem; }
.spread i { flex: none; block-size: .9rem; border-radius: 3px; background: var(--_muted); opacity: .55; forced-color-adjust: none; }
.spread [aria-current] i { background: var(--_accent); opacity: 1; }
.spread td span { flex: none; }
`;

let styled = false;

/** draw shows a distribution in an element, best scores first, as on boards. */
export function draw(into: Element, { buckets, total, me, stale, history }: Distribution, format: Format, { decimals, ascending }: Scale): void {
  if (!styled) document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet(style)];
  styled = true;
  if (!total) return fill(into, h("p", {}, history ? words.noHistory : words.empty));
  // If the mode has several values, the buckets are of the first.
  const [name, places] = typeof decimals === "object" ? Object.entries(decimals)[0]! : [words.score, decimals];
  const number = (n: number) => format.scores({ score: n }, places)[0]![1];
  const most = Math.max(...buckets.map(({ players }) => players));
  const row = ({ from, to, players }: Distribution["buckets"][number], i: number) => {
    const bar = h("i");
    bar.style.inlineSize = `calc((100% - 7rem) * ${players / most})`; // 7rem: the number, and "you"
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
  const all = format.plural(total, ...words.players);
  fill(
    into,
    !!stale && h("p", { class: "message" }, words.stale),
    h(
      "table",
      { class: "spread" },
      h("caption", {}, me ? `${all}. You: ${number(me.values ? Object.values(me.values)[0]! : me.score)}, ${words.top(format.percent(me.top_percent))}.` : `${all}.`),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, name.replaceAll("_", " ")), h("th", { scope: "col" }, "Players"))),
      h("tbody", {}, ...rows),
    ),
  );
}
