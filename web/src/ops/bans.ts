// The list of bans. Only operators see a ban's reason.
import type { Ops } from "../../../sdk/js/src/ops.ts";
import type { KeptBans } from "../../../sdk/js/src/types.ts";
import { h, type Child } from "../parts/dom.ts";
import { confirmed } from "./confirm.ts";
import { acts, row, table } from "./section.ts";
import { figure, moment, plural } from "./words.ts";

/** Act has the desk run an operator's act: `what` does it and returns the text to show.
 * `changes` says what the desk then loads again: the lists, which cost no command; the
 * status too, which costs some; or nothing. */
export type Act = (what: () => Promise<string>, changes?: "lists" | "status" | "nothing") => Promise<void>;

export function bans(ops: Ops, kept: KeptBans, act: Act, more: (cursor: string) => void): Child[] {
  const player = h("input", { id: "ban-player", required: true, autocomplete: "off", spellcheck: "false", "data-testid": "ban-player" });
  const reason = h("input", { id: "ban-reason", maxlength: 500, autocomplete: "off", "data-testid": "ban-reason" });
  const form = h("form", { class: "line", "data-needs": "moderate" }, h("label", { for: "ban-player" }, "Player ID"), player, h("label", { for: "ban-reason" }, "Reason"), reason, h("button", { type: "submit", class: "danger", "data-testid": "ban" }, "Ban"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const of = player.value.trim();
    // What the ban removes is said before; if it cannot be read, in general.
    const named = await ops.player(of).catch(() => undefined);
    const scores = named?.known === false ? " No data for this player." : named ? ` ${named.next ? "More than " : ""}${plural(named.results.length, "score")} on record.` : "";
    const effect = `${named?.profile?.name ? `${named.profile.name} (${of})` : of} can no longer play.${scores} Scores of open days are removed from all boards. Unbanning does not restore them.`;
    if (!(await confirmed("Ban", effect, of))) return;
    await act(async () => {
      const did = await ops.ban(of, { reason: reason.value });
      return `${did.player} banned; removed from ${plural(did.boards, "board")}.`;
    });
  });
  const lift = (of: string | null | undefined) => {
    if (!of) return "";
    const button = h("button", { type: "button", "aria-label": `Unban ${of}`, "data-testid": "unban", "data-needs": "moderate" }, "Unban");
    button.addEventListener("click", () => void act(async () => `${(await ops.unban(of)).player} unbanned.`));
    return button;
  };
  const next = kept.next && h("button", { type: "button" }, "Next page");
  if (next) next.addEventListener("click", () => more(kept.next!));
  return [
    form,
    h("p", {}, figure(kept.total), kept.total === 1 ? " player is banned." : " players are banned.", kept.source === "redis" && " No database, so bans can't be listed. Unban by player ID:"),
    kept.source === "redis" && liftById(ops, act),
    kept.bans.length > 0 && table("Banned players", ["player", "since", "by", "reason", acts], kept.bans.map((b) =>
      row([b.player ?? "erased", moment(b.at), b.by ?? "", b.reason ?? "", lift(b.player)], { "data-banned": b.player ?? "" }))),
    next,
  ];
}

function liftById(ops: Ops, act: Act): HTMLElement {
  const player = h("input", { id: "unban-player", required: true, autocomplete: "off", spellcheck: "false" });
  const form = h("form", { class: "line", "data-needs": "moderate" }, h("label", { for: "unban-player" }, "Player ID"), player, h("button", { type: "submit" }, "Unban"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void act(async () => `${(await ops.unban(player.value.trim())).player} unbanned.`);
  });
  return form;
}
