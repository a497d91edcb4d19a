// The first screen: the month, today, dollars, drift, degradation, health.
import type { Health, Status, Usage } from "../../../sdk/js/src/types.ts";
import { h, type Child } from "../parts/dom.ts";
import { bar } from "./bar.ts";
import { count, decimals, dollars, figure, percent } from "./words.ts";

/** monthOf returns the days of the current month. */
export function monthOf(usage: Usage): Usage["days"] {
  const month = usage.days.at(-1)!.date.slice(0, 7);
  return usage.days.filter((d) => d.date.startsWith(month));
}

const sum = (days: Usage["days"]) => days.reduce((n, d) => n + d.commands, 0);

function card(id: string, title: string, state: string, ...children: Child[]): HTMLElement {
  return h("article", { class: "card", "data-testid": id, "data-state": state, "aria-labelledby": `card-${id}` }, h("h2", { id: `card-${id}` }, title), ...children);
}

export function overview(usage: Usage, status?: Status, health?: Health): HTMLElement {
  return h("div", { class: "cards" }, month(usage), today(usage), bill(usage), drift(usage), degradation(usage), state(status, health));
}

function month(usage: Usage): HTMLElement {
  const soFar = sum(monthOf(usage)), projected = usage.projected_month, plan = usage.plan.commands;
  return card("month", "This month", projected > plan ? "bad" : "good",
    h("p", { class: "large" }, figure(soFar, count, { "data-testid": "month-so-far" }), " commands so far"),
    bar({ most: Math.max(plan, projected), parts: [[soFar, "spent"], [Math.max(0, projected - soFar), "to-come"]], mark: plan }),
    h("p", {}, figure(projected, count, { "data-testid": "month-projected" }), " at this pace, ", figure(usage.plan.share, percent, { "data-testid": "month-share" }), " of the plan of ", figure(plan, count, { "data-testid": "plan" })));
}

function today(usage: Usage): HTMLElement {
  const day = usage.days.at(-1)!, budget = usage.budget;
  // Without a budget a day's allowance is a 31st of the plan, the alarm's threshold.
  const allowance = budget?.allowance ?? Math.floor(usage.plan.commands / 31);
  const bad = budget ? budget.pace >= 1 : day.commands > allowance;
  return card("today", "Today, UTC", bad ? "bad" : "good",
    h("p", { class: "large" }, figure(day.commands, count, { "data-testid": "today-commands" }), " commands"),
    bar({ most: Math.max(allowance, day.commands, 1), parts: [[day.commands, "spent"]], mark: budget?.by_now }),
    h("p", {}, "of ", figure(allowance, count, { "data-testid": "today-allowance" }), budget ? " that are left for today" : ", a 31st of the plan",
      budget && h("span", {}, ", ", figure(budget.by_now, count, { "data-testid": "today-by-now" }), " by now: pace ", figure(budget.pace, percent, { "data-testid": "pace" }))));
}

function bill(usage: Usage): HTMLElement {
  const b = usage.bill;
  const lines = b.lines.filter((l) => l.quantity || l.dollars || l.dollars_without_free_tiers);
  return card("bill", "The month's bill", "good",
    h("p", { class: "large" }, figure(b.dollars, dollars, { "data-testid": "dollars" })),
    h("p", {}, figure(b.dollars_without_free_tiers, dollars, { "data-testid": "dollars-without" }), " without free tiers"),
    h("details", { "data-testid": "bill-items" }, h("summary", {}, "Each item"),
      h("table", {}, h("caption", {}, `At list prices of ${b.prices}; ${Object.entries(b.plans).map(([v, p]) => `${v} ${p}`).join(", ")}`),
        h("thead", {}, h("tr", {}, ...["item", "quantity", "dollars", "no free tiers"].map((t) => h("th", { scope: "col" }, t)))),
        h("tbody", {}, ...lines.map((l) => h("tr", { "data-item": l.item },
          h("th", { scope: "row" }, `${l.vendor} ${l.item.replaceAll("_", " ")}`), h("td", { class: "number" }, figure(l.quantity, l.quantity < 100 ? decimals : count)),
          h("td", { class: "number" }, figure(l.dollars, dollars)), h("td", { class: "number" }, figure(l.dollars_without_free_tiers, dollars)))))),
      h("p", { class: "small" }, "Not counted: ", b.not_counted.join(", ").replaceAll("_", " "))));
}

function drift(usage: Usage): HTMLElement {
  const compared = [...usage.days].reverse().find((d) => d.drift !== undefined);
  if (!compared) {
    return card("drift", "Beside Upstash's count", "good", h("p", { class: "large", "data-testid": "drift-value" }, "not compared"), h("p", {}, "No day of 1,000 commands or more has been compared: cron-usage needs Upstash's credentials, and a database."));
  }
  return card("drift", "Beside Upstash's count", compared.drifts ? "bad" : "good",
    h("p", { class: "large" }, figure(compared.drift!, percent, { "data-testid": "drift-value" })),
    h("p", {}, `On ${compared.date} ours was ${count(compared.commands)}, theirs ${compared.upstash === undefined ? "?" : count(compared.upstash)}.`, compared.drifts ? " More than 5% apart: see docs/usage.md." : ""));
}

function degradation(usage: Usage): HTMLElement {
  const b = usage.budget;
  return card("degradation", "Degradation", b?.level ? "bad" : "good",
    h("p", { class: "large" }, "level ", figure(b?.level ?? 0, count, { "data-testid": "level" }), " of 3"),
    h("p", {}, !b ? "The game has no budget, so nothing gives way." : b.degraded.length ? `In force: ${b.degraded.join(", ")}.` : `Nothing gives way; the budget is ${count(b.month)} a month.`));
}

function state(status?: Status, health?: Health): HTMLElement {
  if (!status && !health) return card("health", "Health", "bad", h("p", { class: "large" }, "unknown"), h("p", {}, "Redis does not answer; see below."));
  const wrong = status?.problems.length ?? 0, answers = health?.database !== "unreachable" && health?.database !== "behind";
  return card("health", "Health", !health || wrong || !answers ? "bad" : "good",
    h("p", { class: "large", "data-testid": "health-word" }, wrong ? `${wrong} ${wrong === 1 ? "problem" : "problems"}` : health && answers ? "good" : "see below"),
    h("p", {}, `Redis ${health?.redis ?? "does not answer"}, database ${health?.database ?? status?.database.state ?? "unknown"}, ${status?.writes.taken === false ? "writes are refused" : "writes are taken"}.`));
}
