// A result in one line.
import type { Result, Submitted } from "../../../sdk/js/src/index.ts";
import { h } from "../parts/dom.ts";
import type { Format } from "../parts/format.ts";
import { words } from "./words.ts";

/** Outcome is the answer to a submission; a score that is held has no rank. */
export type Outcome = Submitted;

const units = (): Record<string, string> => ({ wpm: words.wpm, accuracy: words.accuracy });

export function shown(outcome: Outcome, format: Format): HTMLElement {
  const { rank, total, streak, earned, xp } = outcome as Partial<Result>;
  const facts: [string, string | number | null | undefined][] = [
    ...format.scores({ values: outcome.submitted_values }, { wpm: 2, accuracy: 2 }).map(([name, n]): [string, string] => [units()[name] ?? name, n]),
    [words.ofTotal(format.count(total ?? 0)), rank && words.rankSign(format.count(rank))],
    [words.streak, streak && format.count(streak.current)],
    [words.xp, xp && "+" + format.count(xp)],
    ...Object.entries(earned ?? {}).map(([currency, n]): [string, string] => [currency, "+" + format.count(n)]),
  ];
  return h("p", { class: "outcome" }, ...facts.map(([unit, n]) => !!n && h("span", {}, h("strong", {}, String(n)), " ", unit)));
}
