// What a month would cost with other numbers of players. The API computes it.
import type { Usage } from "../../../sdk/js/src/types.ts";
import { fill, h } from "../parts/dom.ts";
import type { Session } from "./session.ts";
import { count, decimals, dollars, figure, percent } from "./words.ts";

export function whatIf(usage: Usage, session: Session, asked: () => void): HTMLElement {
  const told = usage.what_if;
  const place = h("section", { id: "what-if", "aria-labelledby": "what-if-title", "data-testid": "what-if" }, h("h2", { id: "what-if-title" }, "Cost projection"));
  const players = h("input", { id: "players-now", type: "number", min: 1, max: 10_000_000, step: 1, required: true, value: told ? Math.max(1, Math.round(told.players)) : "", "data-testid": "players-now" });
  const form = h("form", { class: "line" }, h("label", { for: "players-now" }, "Daily players"), players, h("button", { type: "submit", "data-testid": "players-set" }, "Update"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    session.players = Number(players.value);
    asked();
  });
  if (!told) {
    place.append(h("p", {}, "Not enough data (no scores in 7 days). Enter the number of daily players:"), form);
    return place;
  }
  const nearest = told.months.findIndex((m) => m.players >= told.players);
  const slider = h("input", { id: "what-if-players", type: "range", min: 0, max: told.months.length - 1, step: 1, value: nearest < 0 ? told.months.length - 1 : nearest, "data-testid": "what-if-slider" });
  const out = h("output", { for: "what-if-players", "data-testid": "what-if-out" });
  const show = () => {
    const m = told.months[Number(slider.value)]!;
    slider.setAttribute("aria-valuetext", `${count(m.players)} daily players`);
    fill(out, h("p", { class: "large" }, figure(m.players, count, { "data-testid": "what-if-count" }), " daily players: ", figure(m.dollars, dollars, { "data-testid": "what-if-dollars" }), " a month"),
      h("p", {}, figure(m.commands, count, { "data-testid": "what-if-commands" }), " commands, ", percent(m.commands / usage.plan.commands), " of the plan; ", figure(m.commands_dollars, dollars), " paid as you go. ",
        figure(m.dollars_without_free_tiers, dollars), " excluding free tiers. On ", Object.entries(m.plans).map(([v, p]) => `${v} ${p}`).join(", "), "; assumes 19 KB of Redis per player, excludes Postgres storage."));
  };
  slider.addEventListener("input", show);
  show();
  place.append(h("p", {}, h("label", { for: "what-if-players" }, "Daily players"), slider), out, form,
    h("p", { class: "small" }, told.guessed ? "Estimated from accepted scores (2.55 per player per day). " : "", "Fixed: ", figure(told.month.fixed), " commands a month. Per daily player: ", figure(told.month.a_player, decimals), "."));
  return place;
}
