// The first screen: how the product does in a sentence, and its figures, each in a card.
import type { Health, Statistics, Status, Usage } from "../../../sdk/js/src/types.ts";
import { h, type Child } from "../parts/dom.ts";
import { bar, spark } from "./bar.ts";
import { row, table } from "./section.ts";
import { count, decimals, dollars, figure, percent, plural } from "./words.ts";

/** State colours a card: none is grey, for what is not known. */
type State = "good" | "bad" | "none";

/** Seen is everything that the first screen is drawn from. What is undefined is not known (yet). */
export interface Seen {
  usage: Usage;
  span: number; // days
  status?: Status | undefined;
  health?: Health | undefined;
  played?: Statistics | undefined;
  waiting?: number | undefined; // scores under review
  dead?: number | undefined; // dead letters
}

/** monthOf returns the days of the current month. */
export function monthOf(usage: Usage): Usage["days"] {
  const month = usage.days.at(-1)!.date.slice(0, 7);
  return usage.days.filter((d) => d.date.startsWith(month));
}

const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
const link = (to: string, text: string) => h("a", { href: "#" + to }, text);

function card(id: string, title: string, state: State, ...children: Child[]): HTMLElement {
  return h("article", { class: "card", "data-testid": id, "data-state": state, "aria-labelledby": `card-${id}` }, h("h2", { id: `card-${id}` }, title), ...children);
}

export function overview(seen: Seen): HTMLElement {
  return h("div", {}, verdict(seen), h("div", { class: "cards" },
    ...people(seen), today(seen), billCard(seen.usage), errors(seen), month(seen.usage), drift(seen.usage), degradation(seen.usage), state(seen)));
}

/** wrongs are the sentences about what needs somebody, each with where to look. */
function wrongs({ usage, status, health, dead }: Seen): [text: string, section: string][] {
  const all: [string, string][] = [];
  if (health?.database === "unreachable" || health?.database === "behind") all.push([`The database is ${health.database}`, "state"]);
  for (const problem of status?.problems ?? []) all.push([problem.what.replace(/\.$/, ""), "state"]);
  if (status && !status.writes.taken) all.push(["Writes are off", "maintenance"]);
  if (usage.budget?.level) all.push([`Degraded to level ${usage.budget.level} to save commands`, "routes"]);
  if (usage.plan.commands && usage.projected_month > usage.plan.commands) all.push([`The month is projected at ${percent(usage.plan.share)} of the plan`, "bill"]);
  if (usage.days.some((day) => day.drifts)) all.push(["Our count and Upstash’s are more than 5% apart", "bill"]);
  if (dead) all.push([plural(dead, "dead letter"), "dead-letters"]);
  return all;
}

// verdict says in a sentence how the product does; it is grey until that is known.
function verdict(seen: Seen): HTMLElement {
  const { usage, status, health, waiting } = seen;
  const bad = wrongs(seen);
  const state: State = bad.length ? "bad" : status && health ? "good" : "none";
  const parts: Child[] = state === "none" ? ["Status unknown."] : bad.length ? bad.slice(0, 3).flatMap(([text, to], i) => [i ? " · " : "", link(to, text)]) : ["No problems."];
  if (bad.length > 3) parts.push(` · ${count(bad.length - 3)} more`);
  if (state === "good" && usage.plan.commands) parts.push(` Projected ${percent(usage.plan.share)} of the month’s plan; ${dollars(usage.bill.dollars)} so far${usage.bill.not_counted.length ? `, excluding ${usage.bill.not_counted.map(nameOf).join(", ")}` : ""}.`);
  if (waiting) parts.push(bad.length ? " · " : " ", link("held", `${plural(waiting, "score")} to review.`));
  return h("p", { class: "verdict", "data-testid": "verdict", "data-state": state }, h("span", {}, ...parts));
}

// people are the players and plays of the last date, beside those of the date before.
function people({ played, health, span }: Seen): HTMLElement[] {
  if (!played) {
    const why = health?.database === "none" ? "Needs a database." : "No data yet.";
    return [["today-players", "Players today"], ["today-plays", "Plays today"]].map(([id, title]) => card(id!, title!, "none", h("p", { class: "large" }, "–"), h("p", {}, why)));
  }
  const days = played.days.slice(-span);
  const plays = days.map((day) => sum(Object.values(day.results)));
  const players = days.map((day) => day.players);
  const change = (values: number[]) => {
    const [before, now] = values.slice(-2);
    return values.length > 1 && before ? `${now! >= before ? "▲" : "▼"} ${percent(Math.abs(now! - before) / before)} vs. the day before` : "no previous day to compare";
  };
  const one = (id: string, title: string, values: number[], more: string) =>
    card("today-" + id, title, "good", h("p", { class: "large" }, figure(values.at(-1) ?? 0, count, { "data-testid": `${id}-today` })), h("p", {}, change(values), more), spark(values));
  return [
    one("players", "Players today", players, `; ${count(played.active_7)} in 7 days`),
    one("plays", "Plays today", plays, players.at(-1) ? `; ${decimals(plays.at(-1)! / players.at(-1)!)} per player` : ""),
  ];
}

function month(usage: Usage): HTMLElement {
  const soFar = sum(monthOf(usage).map((day) => day.commands)), projected = usage.projected_month, plan = usage.plan.commands;
  return card("month", "This month", plan && projected > plan ? "bad" : "good",
    h("p", { class: "large" }, figure(soFar, count, { "data-testid": "month-so-far" }), h("small", {}, " commands")),
    bar({ most: Math.max(plan, projected), parts: [[soFar, "spent"], [Math.max(0, projected - soFar), "to-come"]], mark: plan || undefined }),
    h("p", {}, figure(projected, count, { "data-testid": "month-projected" }), " projected", plan > 0 && h("span", {}, ", ", figure(usage.plan.share, percent, { "data-testid": "month-share" }), " of the plan (", figure(plan, count, { "data-testid": "plan" }), ")")));
}

function today({ usage, span }: Seen): HTMLElement {
  const day = usage.days.at(-1)!, budget = usage.budget;
  // Without a budget a day's allowance is a 31st of the plan, the alarm's threshold; 0: neither.
  const allowance = budget?.allowance ?? Math.floor(usage.plan.commands / 31);
  const bad = budget ? budget.pace >= 1 : allowance > 0 && day.commands > allowance;
  return card("today", "Commands today, UTC", bad ? "bad" : "good",
    h("p", { class: "large" }, figure(day.commands, count, { "data-testid": "today-commands" })),
    allowance > 0 && bar({ most: Math.max(allowance, day.commands, 1), parts: [[day.commands, "spent"]], mark: budget?.by_now }),
    allowance > 0 && h("p", {}, budget ? "of today’s remaining " : "of ", figure(allowance, count, { "data-testid": "today-allowance" }), budget ? "" : " (1/31 of the plan)",
      budget && h("span", {}, "; ", figure(budget.by_now, count, { "data-testid": "today-by-now" }), " expected by now (", figure(budget.pace, percent, { "data-testid": "pace" }), ")")),
    spark(usage.days.slice(-span).map((d) => d.commands)));
}

const nameOf = (item: string) => item.replace(/^redis/, "Redis").replace(/_stored_gb$/, " storage").replace(/_gb$/, " GB").replaceAll("_", " ");

function billCard(usage: Usage): HTMLElement {
  const b = usage.bill;
  if (!Object.keys(b.plans).length) return card("bill", "The month’s bill", "none", h("p", { class: "large" }, "–"), h("p", {}, "Your own servers are not on the price list."));
  return card("bill", "The month’s bill", b.not_counted.length ? "none" : "good",
    h("p", { class: "large" }, figure(b.dollars, dollars, { "data-testid": "dollars" }), b.not_counted.length > 0 && h("small", {}, " + ", b.not_counted.map(nameOf).join(", "))),
    h("p", {}, figure(b.dollars_without_free_tiers, dollars, { "data-testid": "dollars-without" }), " excluding free tiers"),
    h("p", {}, link("bill", "Line items")));
}

/** bill is the month's bill by its lines. */
export function bill({ bill: b }: Usage): HTMLElement {
  const lines = b.lines.filter((l) => l.quantity || l.dollars || l.dollars_without_free_tiers);
  return h("section", { "aria-labelledby": "bill-title", "data-testid": "bill-items" }, h("h2", { id: "bill-title" }, "Line items"),
    Object.keys(b.plans).length === 0 ? h("p", {}, "Your own servers are not on the price list.") : h("p", { class: "small" }, `At list prices of ${b.prices}; ${Object.entries(b.plans).map(([v, p]) => `${v} ${p}`).join(", ")}.`, b.not_counted.length > 0 && ` Not counted: ${b.not_counted.map(nameOf).join(", ")}.`),
    lines.length > 0 && table("Line items", ["item", "quantity", "dollars", "without free tiers"], [
      ...lines.map((l) => row([`${l.vendor} ${nameOf(l.item)}`, figure(l.quantity, l.quantity < 100 ? decimals : count), figure(l.dollars, dollars), figure(l.dollars_without_free_tiers, dollars)], { "data-item": l.item })),
    ]),
    lines.length > 0 && h("p", { class: "total" }, "Total ", figure(b.dollars, dollars), h("span", {}, ", ", figure(b.dollars_without_free_tiers, dollars), " without free tiers")));
}

// errors are the calls that failed on the days for which that is known.
function errors({ usage, span }: Seen): HTMLElement {
  const days = usage.days.slice(-span).map((day) => Object.values(day.by_route ?? {})).filter((routes) => routes.some(({ failed }) => failed !== undefined));
  if (!days.length) return card("errors", "Errors", "none", h("p", { class: "large" }, "–"), h("p", {}, "No data for these days."));
  const failed = days.map((routes) => sum(routes.map((route) => route.failed ?? 0)));
  const all = sum(failed), calls = sum(days.flat().map((route) => route.calls));
  return card("errors", "Errors", calls && all / calls >= 0.01 ? "bad" : "good",
    h("p", { class: "large" }, figure(all, count, { "data-testid": "errors-count" })), h("p", {}, `of ${plural(calls, "call")} in ${plural(days.length, "day")}`), spark(failed));
}

function drift(usage: Usage): HTMLElement {
  const compared = [...usage.days].reverse().find((d) => d.drift !== undefined);
  if (!compared) {
    return card("drift", "Drift vs. Upstash", "none", h("p", { class: "large", "data-testid": "drift-value" }, "No data yet"), h("p", {}, "Needs a day with at least 1,000 commands, Upstash credentials for cron-usage, and a database."));
  }
  return card("drift", "Drift vs. Upstash", compared.drifts ? "bad" : "good",
    h("p", { class: "large" }, figure(compared.drift!, percent, { "data-testid": "drift-value" })),
    h("p", {}, `${compared.date}: we counted ${count(compared.commands)}, Upstash ${compared.upstash === undefined ? "?" : count(compared.upstash)}.`, compared.drifts ? " More than 5% apart: see docs/operate/usage.md." : ""));
}

function degradation(usage: Usage): HTMLElement {
  const b = usage.budget;
  return card("degradation", "Degradation", b?.level ? "bad" : b ? "good" : "none",
    h("p", { class: "large" }, "Level ", figure(b?.level ?? 0, count, { "data-testid": "level" }), " of 3"),
    h("p", {}, !b ? "No budget set." : b.degraded.length ? `Degraded: ${b.degraded.join(", ")}.` : `Not degraded. Budget: ${count(b.month)} per month.`));
}

function state({ status, health }: Seen): HTMLElement {
  if (!status && !health) return card("health", "Health", "none", h("p", { class: "large" }, "Unknown"), h("p", {}, "Redis is not responding, or has not been asked yet."));
  const problems = status?.problems ?? [], answers = health?.database !== "unreachable" && health?.database !== "behind";
  return card("health", "Health", !health || problems.length || !answers ? "bad" : "good",
    h("p", { class: "large", "data-testid": "health-word" }, problems.length ? plural(problems.length, "problem") : health && answers ? "Healthy" : "See below"),
    problems[0] ? h("p", {}, link("state", problems[0].what)) : h("p", {}, `Redis ${health?.redis ?? "is not responding"}, database ${health?.database ?? status?.database.state ?? "unknown"}, ${status?.writes.taken === false ? "writes off" : "accepting writes"}.`));
}
