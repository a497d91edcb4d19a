// The cost of each route beside its budget. Routes that cost more are marked.
import type { Usage } from "../../../sdk/js/src/types.ts";
import { fill, h } from "../parts/dom.ts";
import { row, table } from "./section.ts";
import { count, decimals, figure } from "./words.ts";

interface Spent {
  calls: number;
  commands: number;
  failed: number | undefined; // over the days for which it is known; undefined: it is known for none
  throttled: number | undefined;
  budget: number | undefined;
}

/** byRoute adds the days up, by route. */
export function byRoute(days: Usage["days"]): Map<string, Spent> {
  const all = new Map<string, Spent>();
  for (const day of days) {
    for (const [route, s] of Object.entries(day.by_route ?? {})) {
      const sum = all.get(route) ?? { calls: 0, commands: 0, failed: undefined, throttled: undefined, budget: undefined };
      sum.calls += s.calls;
      sum.commands += s.commands;
      if (s.failed !== undefined) sum.failed = (sum.failed ?? 0) + s.failed;
      if (s.throttled !== undefined) sum.throttled = (sum.throttled ?? 0) + s.throttled;
      sum.budget = s.budget ?? sum.budget;
      all.set(route, sum);
    }
  }
  return all;
}

// Fewer calls prove nothing: the first calls of a process may cost more than the budget.
const fewest = 10;

/** leaks reports whether a route's calls have cost more than their budget on average. */
export const leaks = (s: Spent) => s.budget !== undefined && s.calls >= fewest && s.commands > s.budget * s.calls;

export function routes(usage: Usage): HTMLElement {
  const span = h("select", { id: "routes-days", "data-testid": "routes-days" }, ...[[1, "today"], [7, "the last 7 days"], [30, "the last 30 days"]].map(([n, text]) => h("option", { value: n, selected: n === 7 }, String(text))));
  const place = h("div");
  const show = () => {
    const all = [...byRoute(usage.days.slice(-Number(span.value)))].sort(([, a], [, b]) => b.commands - a.commands);
    fill(place, table("Routes, the dearest first", ["route", "calls", "commands", "a call", "budget", "failed", "throttled"], all.map(([route, s]) =>
      row([
        h("span", {}, h("code", {}, route), leaks(s) && h("strong", { class: "leak", "data-testid": "leak" }, " over its budget")),
        figure(s.calls, count, { "data-of": "calls" }), figure(s.commands, count, { "data-of": "commands" }), s.calls ? figure(s.commands / s.calls, decimals, { "data-of": "a-call" }) : "",
        s.budget === undefined ? "" : figure(s.budget, count, { "data-of": "budget" }), s.failed === undefined ? "" : figure(s.failed, count, { "data-of": "failed" }), s.throttled === undefined ? "" : figure(s.throttled, count, { "data-of": "throttled" }),
      ], { "data-route": route, "data-leaks": String(leaks(s)) }))));
  };
  span.addEventListener("change", show);
  show();
  return h("section", { "aria-labelledby": "routes-title", "data-testid": "routes" }, h("h2", { id: "routes-title" }, "Routes"),
    h("p", {}, h("label", { for: "routes-days" }, "Of "), span), place,
    h("p", { class: "small" }, "The budget is what a call costs at most once its process has served the like: a mean above it says that processes live too shortly, or that something leaks; of fewer than 10 calls it says nothing. Failures are known of the days that Redis has, the last 4 with a database."));
}
