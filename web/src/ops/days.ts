// The days of the range by function: as a chart, as a table, and as a CSV file.
import type { Usage } from "../../../sdk/js/src/types.ts";
import { h } from "../parts/dom.ts";
import { svg } from "./bar.ts";
import { row, table } from "./section.ts";
import { count, figure, percent, short } from "./words.ts";

const named = 6; // functions with a colour of their own; the others are one

// A function has the same colour whichever others there are: its place here. The first have colours of their own.
const known = ["submit", "leaderboard", "cron-daily", "friends", "duel", "me", "enqueue", "ingest", "events", "cron-save", "graphql", "ops"];

type Day = Usage["days"][number];

const of = (day: Day, name: string) => day.by_function[name]?.commands ?? 0;

// paint gives each of the functions that spend most a colour; if that is taken, the next that is free.
function paint(all: Day[], names: string[]): Map<string, string> {
  const spent = (name: string) => all.reduce((sum, day) => sum + of(day, name), 0);
  const most = [...names].sort((a, b) => spent(b) - spent(a)).slice(0, named);
  const taken = new Set<number>();
  const colours = new Map<string, string>();
  for (const name of most.sort((a, b) => at(a) - at(b))) {
    let colour = at(name) % known.length;
    while (taken.has(colour)) colour = (colour + 1) % known.length;
    taken.add(colour);
    colours.set(name, `c${colour}`);
  }
  return colours;
}

const at = (name: string) => {
  const place = known.indexOf(name);
  return place >= 0 ? place : known.length + [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
};

const namesOf = (all: Day[]) => [...new Set(all.flatMap((d) => Object.keys(d.by_function)))].sort();

/** daysChart shows the days of the range, and how much each function spends. */
export function daysChart(usage: Usage, span: number): HTMLElement {
  const all = usage.days.slice(-span), names = namesOf(all), colours = paint(all, names);
  const spent = (which: string[]) => all.reduce((sum, day) => sum + which.reduce((of_, name) => of_ + of(day, name), 0), 0);
  const total = spent(names), others = names.filter((name) => !colours.has(name));
  const legend = [...colours].map(([name, colour]) => [name, colour, spent([name])] as const).sort((a, b) => b[2] - a[2]);
  if (others.length) legend.push(["other", "other", spent(others)]);
  return h("section", { id: "days", class: "beside", "aria-labelledby": "days-title", "data-testid": "days" },
    h("div", {}, h("h2", { id: "days-title" }, "Commands per day, by function"), chart(all, names, colours)),
    h("ul", { class: "legend" }, ...legend.map(([name, colour, n]) => h("li", {}, h("span", { class: `swatch ${colour}` }), h("span", { "data-colour": colour }, name), h("small", {}, total ? percent(n / total) : ""), figure(n)))));
}

/** daysTable is the same as a table and a CSV file. */
export function daysTable(usage: Usage, span: number): HTMLElement {
  const all = usage.days.slice(-span), names = namesOf(all);
  const rows = all.map((d) => row([d.date, ...names.map((n) => figure(of(d, n), count, { "data-function": n })), figure(d.commands, count, { "data-function": "all" }), d.upstash === undefined ? "" : figure(d.upstash)], { "data-day": d.date }));
  return h("section", { "aria-labelledby": "days-table-title", "data-testid": "days-table" },
    h("div", { class: "line" }, h("h2", { id: "days-table-title" }, "Commands per day"), h("button", { type: "button", "data-testid": "csv", onclick: () => download(`usage-${all.at(-1)!.date}.csv`, csv(all, names)) }, "Download CSV")),
    table("Billed commands by day and function", ["day", ...names, "all", "Upstash"], rows));
}

// steps are the values of the axis: round ones, four or five of them.
function steps(most: number): number[] {
  const rough = Math.max(most, 4) / 4, unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * unit).find((n) => n >= rough)!;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, i) => i * step);
}

function chart(all: Day[], names: string[], colours: Map<string, string>): Element {
  const left = 56, width = matchMedia("(max-width: 40rem)").matches ? 360 : 900, height = 200, foot = 22, peak = Math.max(1, ...all.map((d) => d.commands));
  const axis = steps(peak), top = axis.at(-1)!, wide = (width - left) / all.length, gap = Math.min(wide / 5, 16);
  const y = (value: number) => 8 + height - (height * value) / top;
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height + foot + 8}`, class: "chart", role: "img", "aria-label": `Billed commands of ${all.length} days, peak ${count(peak)}; see the table below` });
  for (const value of axis) picture.append(svg("line", { x1: left, x2: width, y1: y(value), y2: y(value) }), svg("text", { x: left - 8, y: y(value) + 4, "text-anchor": "end" }, count(value)));
  const order = [...names].sort((a, b) => Number(colours.has(b)) - Number(colours.has(a)) || at(a) - at(b)); // the others on top
  const every = Math.ceil(all.length / (width < 900 ? 4 : 7));
  all.forEach((day, i) => {
    let sum = 0;
    for (const name of order) {
      const value = of(day, name);
      if (value > 0) picture.append(svg("rect", { x: left + i * wide + gap / 2, y: y(sum + value), width: wide - gap, height: y(sum) - y(sum + value), class: colours.get(name) ?? "other" }, svg("title", {}, `${day.date} ${name}: ${count(value)}`)));
      sum += value;
    }
    if ((all.length - 1 - i) % every === 0) picture.append(svg("text", { x: left + (i + 0.5) * wide, y: height + foot, "text-anchor": "middle" }, short(day.date)));
  });
  return picture;
}

/** csv has a line for each day. No name can be a spreadsheet's formula: the product names the functions. */
export function csv(all: Day[], names: string[]): string {
  const lines = [["date", ...names, "all", "upstash"], ...all.map((d) => [d.date, ...names.map((n) => of(d, n)), d.commands, d.upstash ?? ""])];
  return lines.map((l) => l.join(",") + "\r\n").join("");
}

function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  h("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}
