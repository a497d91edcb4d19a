// The cost of each route beside its budget. Routes that cost more are marked.
import type { Usage } from "../../../sdk/js/src/types.ts";
import { h } from "../parts/dom.ts";
import { bar } from "./bar.ts";
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

export function routes(usage: Usage, span: number): HTMLElement {
  const all = [...byRoute(usage.days.slice(-span))].sort(([, a], [, b]) => b.commands - a.commands);
  const share = (s: Spent) => (s.budget && s.calls ? bar({ most: s.budget, parts: [[Math.min(s.budget, s.commands / s.calls), leaks(s) ? "over" : "spent"]] }) : false);
  return h("section", { id: "routes", "aria-labelledby": "routes-title", "data-testid": "routes" }, h("h2", { id: "routes-title" }, "Routes"),
    table("Routes by cost", ["route", "calls", "commands", "per call", "budget", "failed", "throttled"], all.map(([route, s]) =>
      row([
        h("span", {}, h("code", {}, ...route.split(/(?=\/)/).flatMap((part) => [h("wbr"), part])), leaks(s) && h("strong", { class: "leak", "data-testid": "leak" }, " over budget")),
        figure(s.calls, count, { "data-of": "calls" }), figure(s.commands, count, { "data-of": "commands" }), s.calls ? figure(s.commands / s.calls, decimals, { "data-of": "a-call" }) : "",
        s.budget === undefined ? "" : h("span", { class: "budget" }, figure(s.budget, count, { "data-of": "budget" }), share(s)), s.failed === undefined ? "" : figure(s.failed, count, { "data-of": "failed" }), s.throttled === undefined ? "" : figure(s.throttled, count, { "data-of": "throttled" }),
      ], { "data-route": route, "data-leaks": String(leaks(s)) }))),
    h("p", { class: "small" }, "Budget: the most a call should cost on a warm process. An average above it means processes are recycled too often, or there is a regression. Ignore rows with fewer than 10 calls. Failures are counted only on days still in Redis: the last 4, with a database."));
}
