// The last 30 days by function: as a chart, as a table, and as a CSV file.
import type { Usage } from "../../../sdk/js/src/types.ts";
import { h } from "../parts/dom.ts";
import { svg } from "./bar.ts";
import { row, table } from "./section.ts";
import { count, figure } from "./words.ts";

const shown = 30;
const colours = 8; // as many as ops.css has; further functions use them again

type Day = Usage["days"][number];

const of = (day: Day, name: string) => day.by_function[name]?.commands ?? 0;

export function days(usage: Usage): HTMLElement {
  const all = usage.days.slice(-shown);
  const names = [...new Set(all.flatMap((d) => Object.keys(d.by_function)))].sort();
  const rows = all.map((d) => row([d.date, ...names.map((n) => figure(of(d, n), count, { "data-function": n })), figure(d.commands, count, { "data-function": "all" }), d.upstash === undefined ? "" : figure(d.upstash)], { "data-day": d.date }));
  const save = h("button", { type: "button", "data-testid": "csv" }, "Save as CSV");
  save.addEventListener("click", () => download(`usage-${all.at(-1)!.date}.csv`, csv(all, names)));
  return h("section", { "aria-labelledby": "days-title", "data-testid": "days" }, h("h2", { id: "days-title" }, "30 days by function, in commands"),
    h("div", { class: "wide", tabindex: 0, role: "group", "aria-label": "Picture of 30 days" }, chart(all, names)),
    h("ul", { class: "legend" }, ...names.map((n, i) => h("li", {}, h("span", { class: `swatch c${i % colours}` }), n))),
    h("p", {}, save),
    h("details", { "data-testid": "days-table" }, h("summary", {}, "As a table"), table("Billed commands by day and function", ["day", ...names, "all", "Upstash"], rows)));
}

function chart(all: Day[], names: string[]): Element {
  const width = 30, height = 150, most = Math.max(1, ...all.map((d) => d.commands));
  const picture = svg("svg", { viewBox: `0 0 ${width * all.length} ${height + 20}`, class: "chart", role: "img", preserveAspectRatio: "xMinYMid", "aria-label": `Billed commands of ${all.length} days, ${count(Math.max(...all.map((d) => d.commands)))} on the dearest; the table below has each` });
  all.forEach((day, i) => {
    let y = height;
    names.forEach((name, k) => {
      const tall = (height * of(day, name)) / most;
      y -= tall;
      if (tall > 0) picture.append(svg("rect", { x: i * width + 2, y, width: width - 4, height: tall, class: `c${k % colours}` }, svg("title", {}, `${day.date} ${name}: ${count(of(day, name))}`)));
    });
    if (i % 7 === (all.length - 1) % 7) picture.append(svg("text", { x: i * width + width / 2, y: height + 15, "text-anchor": i === all.length - 1 ? "end" : "middle" }, day.date.slice(5)));
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
