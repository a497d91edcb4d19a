// What is wrong, what to do about it, and the state of what the product depends on.
import type { Health, Status } from "../../../sdk/js/src/types.ts";
import { h, type Child } from "../parts/dom.ts";
import { moment } from "./words.ts";

export function health(status: Status, seen: Health | undefined): Child[] {
  const facts: [string, Child][] = [
    ["Redis", seen ? "responding" : "not responding"],
    ["Circuit breaker", status.redis.circuit + (status.redis.last_error ? `, last error: ${status.redis.last_error}` : "")],
    ["Database", `${status.database.state}, schema ${status.database.schema}/${status.database.needs}`],
    ["Writes", status.writes.taken ? "on" : "off"],
    ["Open dates", status.days.open.join(", ") || "none"],
    ["Archived through", status.days.archived || "nothing yet"],
    ["Your IP", seen?.address ?? "this machine"],
    ["As of", moment(status.now)],
  ];
  return [
    status.problems.length
      ? h("ul", { class: "problems", "data-testid": "problems" }, ...status.problems.map((p) => h("li", {}, h("strong", {}, p.what), h("br"), p.do)))
      : h("p", { "data-testid": "problems" }, "No problems."),
    h("dl", {}, ...facts.map(([name, what]) => h("div", {}, h("dt", {}, name), h("dd", {}, what)))),
  ];
}
