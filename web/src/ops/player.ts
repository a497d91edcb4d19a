// One player: scores, which can be removed, and erasure. Names come from strangers, and are
// shown as text.
import type { Ops } from "../../../sdk/js/src/ops.ts";
import type { PlayerDocument } from "../../../sdk/js/src/types.ts";
import { fill, h } from "../parts/dom.ts";
import type { Act } from "./bans.ts";
import { confirmed } from "./confirm.ts";
import { acts, row, table } from "./section.ts";
import { count, figure } from "./words.ts";

export function playerSection(ops: Ops, act: Act, ban: (player: string) => void): HTMLElement {
  const id = h("input", { id: "player-id", required: true, autocomplete: "off", spellcheck: "false", "data-testid": "player-id" });
  const form = h("form", { class: "line" }, h("label", { for: "player-id" }, "Player ID"), id, h("button", { type: "submit", "data-testid": "player-look" }, "Look up"));
  const place = h("div", { "data-testid": "player" });
  const look = (cursor?: string) => act(async () => {
    if (!cursor) fill(place); // if the player cannot be read, no act is left that is for another one
    const document = await ops.player(id.value.trim(), { cursor });
    fill(place, shown(document));
    return `Read ${document.player}.`;
  }, "nothing");
  const shown = (d: PlayerDocument): HTMLElement => {
    if (d.known === false) return h("p", {}, "No data for this player.");
    const erase = h("button", { type: "button", class: "danger", "data-testid": "erase", "data-needs": "administer" }, "Erase this player");
    erase.addEventListener("click", async () => {
      if (!(await confirmed("Erase", `This permanently deletes all data of ${d.profile?.name ?? d.player}: scores, friends, duels, name.`, d.player))) return;
      await act(async () => {
        const did = await ops.removePlayer(d.player);
        fill(place);
        return did.known ? `${d.player} is erased, from ${did.boards} boards.` : `Nothing was kept of ${d.player}.`;
      });
    });
    const remove = (mode: string, date: string) => {
      const button = h("button", { type: "button", "aria-label": `Remove the score of ${mode} on ${date}`, "data-testid": "remove-score", "data-needs": "moderate" }, "Remove");
      button.addEventListener("click", async () => {
        if (!(await confirmed("Remove this score", `${mode} on ${date}, from all boards. This can’t be undone.`, d.player))) return;
        let done = false;
        await act(async () => {
          const did = await ops.removeScore({ mode, date, player: d.player });
          done = true;
          return `Removed from ${did.boards} boards.`;
        });
        if (done) await look();
      });
      return button;
    };
    const next = d.next && h("button", { type: "button" }, "Next page");
    if (next) next.addEventListener("click", () => void look(d.next!));
    return h("div", {},
      d.profile && h("p", {}, "Name: ", h("strong", { "data-testid": "player-name" }, d.profile.name ?? "none"), d.profile.country ? `, ${d.profile.country}` : "", d.level === undefined ? "" : `, level ${d.level} with ${count(d.xp ?? 0)} XP`, d.ban ? ", banned" : ""),
      d.results.length > 0
        ? table("Scores", ["mode", "date", "score", acts], d.results.map((r) => row([r.mode, r.date, r.values ? Object.entries(r.values).map(([name, n]) => `${n} ${name}`).join(", ") : figure(r.score), remove(r.mode, r.date)], { "data-score": `${r.mode} ${r.date}` })))
        : h("p", {}, "No scores on this page."),
      next, d.known !== undefined && h("p", { class: "buttons" }, !d.ban && h("button", { type: "button", class: "danger", "data-testid": "ban-this", "data-needs": "moderate", onclick: () => ban(d.player) }, "Ban this player"), erase));
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void look();
  });
  id.addEventListener("input", () => fill(place)); // what is shown is not of the id that stands there now
  return h("section", { id: "players", "aria-labelledby": "player-title", "data-testid": "players" }, h("h2", { id: "player-title" }, "Player lookup"), form, place);
}
