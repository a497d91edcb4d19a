// A player's badges, below the facts of the card.
import type { Ask } from "../../../sdk/js/src/transport.ts";
import type { components } from "../../../sdk/js/src/types.gen.ts";
import { fill, h } from "../parts/dom.ts";
import type { Format } from "../parts/format.ts";

type Badge = components["schemas"]["Badge"];
type Answer = components["schemas"]["BadgeList"];

const shown = 20; // so many of the newest badges

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

  /** of returns a section that requests the player's badges and fills itself. It stays hidden if there are none. */
  of(player: string): Node {
    const section = h("section", { class: "badges", "data-testid": "badges", hidden: true });
    void this.fill(section, player);
    return section;
  }

  private async fill(section: HTMLElement, player: string): Promise<void> {
    let asked = this.kept.get(player);
    if (!asked) this.kept.set(player, (asked = this.ask<Answer>(`/players/${encodeURIComponent(player)}/badges`, { limit: shown })));
    const answer = await asked.catch(() => null);
    if (!answer || answer.badges_unavailable) this.kept.delete(player); // request it again next time
    if (!answer?.badges.length) return;
    fill(section, h("h3", {}, "Badges"), h("ul", {}, ...answer.badges.map((badge) => this.badge(badge))));
    section.hidden = false;
  }

  private badge({ id, title, earned, rarity }: Badge): Node {
    const { format } = this;
    const when = format.date(earned, { day: "numeric", month: "short", year: "numeric" });
    return h(
      "li",
      { "data-badge": id },
      h("strong", {}, title),
      h("small", {}, h("time", { datetime: earned }, when), rarity !== undefined && ` · ${format.percent(rarity * 100)} of players`),
    );
  }
}
