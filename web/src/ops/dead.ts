// Dead letters: scheduled runs and queued scores that failed for good; the button sends the scores back.
import type { DeadLetters, DeadQueue } from "../../../sdk/js/src/types.ts";
import { h, type Child } from "../parts/dom.ts";
import { row, table } from "./section.ts";
import { age, figure } from "./words.ts";

export function dead(letters: DeadLetters, redrive: () => Promise<void>): Child[] {
  const button = h("button", { type: "button", "data-testid": "redrive", "data-needs": "administer", disabled: !letters.queued_scores?.count }, "Redrive");
  button.addEventListener("click", async () => {
    button.disabled = true;
    await redrive();
  });
  return [
    queue("failed-runs", "Failed runs (retries exhausted)", letters.failed_runs, "Fix the cause shown in the log, then run the function again; docs/operate/runbook.md, Dead letters."),
    queue("queued-scores", "Queued scores that could not be written", letters.queued_scores, "See the ingest function's log for the cause."),
    letters.queued_scores && h("p", {}, button),
  ];
}

function queue(id: string, title: string, q: DeadQueue | null, advice: string): HTMLElement {
  if (!q) return h("p", { "data-testid": id }, `${title}: queue not configured.`);
  return h("div", { "data-testid": id }, h("h3", {}, title, ": ", figure(q.count)),
    q.count > 0 && h("p", { class: "small" }, advice),
    q.samples.length > 0 && table(`Samples: ${title}`, ["id", "age", "received", "reason", "message"], q.samples.map((l) =>
      row([h("code", {}, l.id), age(l.age_seconds), figure(l.receives), l.reason || "in the log", h("code", { class: "message" }, l.message)]))));
}
