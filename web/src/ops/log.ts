// The log of acts: what operators, players who erase themselves and schedules did.
import type { Log } from "../../../sdk/js/src/types.ts";
import { h, type Child } from "../parts/dom.ts";
import { row, table } from "./section.ts";
import { moment } from "./words.ts";

export function log(kept: Log, more: (cursor: string) => void): Child[] {
  if (!kept.entries.length) return [h("p", {}, "No entries.")];
  const next = kept.next && h("button", { type: "button" }, "Next page");
  if (next) next.addEventListener("click", () => more(kept.next!));
  return [
    table("Audit log, newest first", ["at", "by", "what", "player", "about"], kept.entries.map((e) => {
      const { id: _, at, actor, action, player, ...rest } = e as Record<string, unknown>;
      return row([moment(String(at)), String(actor), String(action).replaceAll("_", " "), player ? String(player) : "", Object.entries(rest).map(([k, v]) => `${k} ${typeof v === "object" ? JSON.stringify(v) : String(v)}`).join(", ")]);
    })),
    next,
  ];
}
