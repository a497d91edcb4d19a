// One player, found by name or id: scores, which can be removed, and erasure. Names come from
// strangers, and are shown as text.
import type { Ops } from "../../../sdk/js/src/ops.ts";
import type { NamedPlayer, NamedPlayers, PlayerDocument } from "../../../sdk/js/src/types.ts";
import { fill, h } from "../parts/dom.ts";
import { hashOf } from "../parts/player.ts";
import type { Act } from "./bans.ts";
import { confirmed } from "./confirm.ts";
import { acts, row, table } from "./section.ts";
import { count, figure, plural } from "./words.ts";

const isId = (text: string) => /^[A-Za-z0-9_.:@-]{1,128}$/.test(text);

export function playerSection(ops: Ops, act: Act, ban: (player: string) => void, hasDatabase: () => boolean): HTMLElement {
  const id = h("input", { id: "player-id", required: true, autocomplete: "off", spellcheck: "false", "data-testid": "player-id" });
  const form = h("form", { class: "line" }, h("label", { for: "player-id" }, "Player name or ID"), id, h("button", { type: "submit", "data-testid": "player-look" }, "Look up"));
  const place = h("div", { tabindex: -1, "data-testid": "player" });
  const read = async (player: string, cursor?: string) => {
    const document = await ops.player(player, { cursor });
    fill(place, shown(document));
    return `Showing ${document.player}.`;
  };
  const look = (cursor?: string) => act(async () => {
    const text = id.value.trim();
    if (!cursor) fill(place); // if the player cannot be read, no act is left that is for another one
    if (cursor) return read(text, cursor);
    if (!hasDatabase()) {
      if (!isId(text)) throw new Error("Searching by name requires a database. Enter the player’s ID.");
      return read(text);
    }
    if (isId(text)) {
      const said = await read(text);
      if (!place.querySelector("[data-unknown]") || [...text].length < 2) return said;
    }
    return find(text);
  }, "nothing");
  const find = async (name: string, cursor?: string) => {
    const page = await ops.players({ name, cursor });
    fill(place, hits(name, page));
    return page.next || cursor ? "Players found." : page.players.length ? `${plural(page.players.length, "player")} found.` : "No players found.";
  };
  const hits = (name: string, page: NamedPlayers): HTMLElement => {
    if (page.players.length === 0) return h("p", { "data-testid": "no-hits" }, `No player has this ID, or a name that starts with “${name}”. Names are as of the last cron-save run.`);
    const next = page.next && h("button", { type: "button", onclick: () => void act(async () => { const said = await find(name, page.next!); place.focus(); return said; }, "nothing") }, "Next page");
    return h("div", {}, h("ul", { class: "hits", "aria-label": `Players whose names start with ${name}`, "data-testid": "hits" }, ...page.players.map((p) => h("li", {}, hit(p)))), next);
  };
  // Pictures are not loaded: the page's policy lets nothing in from other hosts.
  const hit = (p: NamedPlayer) => {
    const picture = h("span", { class: "picture", "aria-hidden": "true" }, [...p.name][0]);
    picture.style.setProperty("--hue", String((hashOf(p.player) % 12) * 30));
    return h("button", { type: "button", "data-hit": p.player, onclick: () => {
      id.value = p.player;
      void act(() => read(p.player), "nothing").then(() => place.focus());
    } }, picture, h("bdi", {}, p.name), h("code", {}, p.player), h("small", {}, [p.country, p.hidden && "hidden", p.last_played ? `last played ${p.last_played}` : "no results"].filter(Boolean).join(", ")));
  };
  const shown = (d: PlayerDocument): HTMLElement => {
    if (d.known === false) return h("p", { "data-unknown": "" }, "No data for this player.");
    const erase = h("button", { type: "button", class: "danger", "data-testid": "erase", "data-needs": "administer" }, "Erase this player");
    erase.addEventListener("click", async () => {
      if (!(await confirmed("Erase", `This permanently deletes all data of ${d.profile?.name ?? d.player}: scores, friends, duels, name.`, d.player))) return;
      await act(async () => {
        const did = await ops.removePlayer(d.player);
        fill(place);
        return did.known ? `${d.player} erased, from ${plural(did.boards, "board")}.` : `No data for ${d.player}.`;
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
          return `Removed from ${plural(did.boards, "board")}.`;
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
