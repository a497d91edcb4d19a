// The log of acts: what operators, players who erase themselves and schedules did.
import type { Log } from "../../../sdk/js/src/types.ts";
import { h, type Child } from "../parts/dom.ts";
import { row, table } from "./section.ts";
import { count, moment } from "./words.ts";

type Entry = Record<string, unknown>;

const close = 60_000; // ms between entries of one act

export function log(kept: Log, more: (cursor: string) => void): Child[] {
  if (!kept.entries.length) return [h("p", {}, "No entries.")];
  const next = kept.next && h("button", { type: "button" }, "Next page");
  if (next) next.addEventListener("click", () => more(kept.next!));
  return [
    table("Audit log, newest first", ["at", "by", "what", "player", "about"], grouped(kept.entries as Entry[]).map((all) => {
      const { at, actor, action, player } = all[0]!;
      const facts = all.map(factsOf);
      return row([moment(String(at)), String(actor), String(action).replaceAll("_", " ") + (all.length > 1 ? ` × ${count(all.length)}` : ""), player ? String(player) : "",
        all.length > 1 ? h("details", {}, h("summary", {}, "Details"), ...facts.map((text) => h("div", {}, text))) : facts[0]]);
    })),
    next,
  ];
}

// grouped puts entries together that follow each other and are one act: a ban deletes many results.
function grouped(entries: Entry[]): Entry[][] {
  const groups: Entry[][] = [];
  for (const entry of entries) {
    const last = groups.at(-1)?.at(-1);
    const isSame = last && ["actor", "action", "player"].every((key) => last[key] === entry[key]) && Date.parse(String(last.at)) - Date.parse(String(entry.at)) < close;
    if (isSame) groups.at(-1)!.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

const factsOf = ({ id: _, at: _at, actor: _actor, action: _action, player: _player, ...rest }: Entry) =>
  Object.entries(rest).map(([k, v]) => `${k} ${typeof v === "object" ? JSON.stringify(v) : String(v)}`).join(", ");
