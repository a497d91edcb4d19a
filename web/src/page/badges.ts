// A player's badges on the card: those that the player has, and, on the own card, those to earn.
import type { Game, Me } from "../../../sdk/js/src/index.ts";
import type { Ask } from "../../../sdk/js/src/transport.ts";
import type { components } from "../../../sdk/js/src/types.gen.ts";
import { fill, h } from "../parts/dom.ts";
import type { Format } from "../parts/format.ts";
import { words } from "./words.ts";

type Badge = components["schemas"]["Badge"];
type Answer = components["schemas"]["BadgeList"];
type Rule = NonNullable<Game["badges"]>[number];

const shown = 20; // so many of the newest badges

const signs: Record<string, string> = {
  streak: "🔥", rank: "🥇", score: "🎯", days: "📅", xp: "⭐", wins: "⚔️", peers: "🤝", champion: "🏆", podium: "🥉", top10: "🏅", top100: "🎖️",
};

export class BadgesList {
  private readonly kept = new Map<string, Promise<Answer>>(); // answers by player

  constructor(
    private readonly ask: Ask,
    private readonly format: Format,
  ) {}

  /** forget drops the kept answers, so that badges are requested again. */
  forget(): void {
    this.kept.clear();
  }

  /** of returns a section that requests the player's badges and fills itself. With `me`, the own card, it has those to earn too. */
  of(player: string, rules: Rule[], me: Me | null): Node {
    const section = h("section", { class: "badges", "data-testid": "badges", hidden: true });
    void this.fill(section, player, rules, me);
    return section;
  }

  private async fill(section: HTMLElement, player: string, rules: Rule[], me: Me | null): Promise<void> {
    let asked = this.kept.get(player);
    if (!asked) this.kept.set(player, (asked = this.ask<Answer>(`/players/${encodeURIComponent(player)}/badges`, { limit: shown })));
    const answer = await asked.catch(() => null);
    if (!answer || answer.badges_unavailable) this.kept.delete(player); // request it again next time
    if (!answer) return;
    const has = new Set(answer.badges.map(({ id }) => id));
    const open = me ? rules.filter(({ id }) => !has.has(id)) : [];
    if (!answer.badges.length && !open.length) return;
    fill(section, h("h3", {}, words.badges), h("ul", {}, ...answer.badges.map((badge) => this.badge(badge, rules)), ...open.map((rule) => this.open(rule, me!))));
    section.hidden = false;
  }

  private badge({ id, kind, title, earned, rarity }: Badge, rules: Rule[]): Node {
    const { format } = this;
    const when = format.date(earned, { day: "numeric", month: "short", year: "numeric" });
    const rule = rules.find((rule) => rule.id === id);
    const name = kind && kind in signs ? words[kind as "podium"] : (rule?.title ?? title);
    const sign = signs[kind ?? rule?.for ?? ""] ?? "🏅";
    return h(
      "li",
      { "data-badge": id },
      h("i", { "aria-hidden": "true" }, sign),
      h("strong", {}, name),
      h("small", {}, h("time", { datetime: earned }, when)),
      rarity !== undefined && h("small", {}, words.rarity(format.percent(rarity * 100))),
    );
  }

  private open(rule: Rule, me: Me): Node {
    const have = rule.for === "streak" ? me.streak?.current : rule.for === "xp" ? me.xp : undefined;
    const { format } = this;
    return h(
      "li",
      { class: "off", "data-open-badge": rule.id },
      h("i", { "aria-hidden": "true" }, signs[rule.for] ?? "🏅"),
      h("strong", {}, rule.title),
      h("small", {}, have !== undefined ? words.progress(format.count(Math.min(have, rule.needs)), format.count(rule.needs)) : words.toEarn),
    );
  }
}
