// What a result was worth, in a line.
import type { Result } from "../../../sdk/js/src/index.ts";
import { h } from "../parts/dom.ts";
import type { Format } from "../parts/format.ts";

export function shown(result: Result, format: Format): HTMLElement {
  const { submitted_values: values, rank, total, streak, earned, xp } = result;
  const facts: [string, string | undefined][] = [
    ["words a minute", values && format.score(values.wpm!, 2)],
    ["% right", values && format.score(values.accuracy!, 2)],
    [`of ${format.count(total ?? 0)}`, rank && "#" + format.rank(rank)],
    ["days in a row", streak && format.count(streak.current)],
    ["XP", xp ? "+" + format.count(xp) : undefined],
    ...Object.entries(earned ?? {}).map(([currency, n]): [string, string] => [currency, "+" + format.count(n)]),
  ];
  return h("p", { class: "result" }, ...facts.map(([unit, n]) => n && h("span", {}, h("strong", {}, n), " ", unit)));
}
