// The player's league of the week: the tiers, the cohort by zones, the time left, and the
// results of past weeks.
import type { LeaderboardsError } from "../../../sdk/js/src/index.ts";
import type { Ask } from "../../../sdk/js/src/transport.ts";
import type { components } from "../../../sdk/js/src/types.gen.ts";
import { fill, h, say, show } from "../parts/dom.ts";
import type { Format } from "../parts/format.ts";
import { nameOf } from "../parts/player.ts";
import { picture, showFlag } from "../parts/row.ts";
import { words } from "../parts/words.ts";

type League = components["schemas"]["League"];
type Entry = components["schemas"]["LeagueEntry"];
type Result = components["schemas"]["LeagueResult"];
type Zone = components["schemas"]["LeagueZone"];

const zones: [Zone, string][] = [["promotion", "Promotion"], ["stay", "Staying"], ["relegation", "Relegation"]];

const outcomes: Record<Zone, string> = { promotion: "promoted", stay: "stayed", relegation: "relegated" };

const age = 30_000; // ms after which standings are requested again

export class LeagueTab {
  private readonly heading = h("h2", { "data-testid": "league-tier" });
  private readonly ends = h("p", { "data-testid": "league-ends" });
  private readonly ladder = h("ol", { class: "ladder", "aria-label": "Tiers, the lowest first" });
  private readonly note = h("p", { "data-testid": "league-note", class: "message", hidden: true });
  private readonly retry = h("button", { type: "button", "data-testid": "league-retry", hidden: true, onclick: () => void this.load() }, words.retry);
  private readonly board = h("div");
  private readonly results = h("div");
  readonly element = h("section", { class: "league", "data-testid": "league", hidden: true, "aria-busy": "true" }, this.heading, this.ends, this.ladder, this.note, this.retry, this.board, this.results);
  private tiers: string[] = [];
  private asked = 0; // time of the last request, by performance.now(); 0: none yet
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly ask: Ask,
    private readonly format: Format,
    private readonly chosen: (entry: Entry) => void,
  ) {
    document.addEventListener("visibilitychange", () => !document.hidden && this.renew());
  }

  /** update shows the league, or hides it. */
  update(isShown: boolean, tiers: string[]): void {
    this.tiers = tiers;
    show(this.element, isShown);
    this.renew();
  }

  /** reset forgets the league of the player who has signed out. */
  reset(): void {
    this.asked = 0;
    for (const part of [this.heading, this.ends, this.ladder, this.board, this.results]) fill(part);
    this.say("");
  }

  // renew requests the league if it is old and visible, and sets a timer for the next time.
  private renew(): void {
    clearTimeout(this.timer);
    if (this.element.hidden || document.hidden) return;
    const old = this.asked ? performance.now() - this.asked : Infinity;
    if (old >= age) void this.load();
    else this.timer = setTimeout(() => this.renew(), age - old);
  }

  private async load(): Promise<void> {
    const asked = (this.asked = performance.now());
    try {
      const league = await this.ask<League>("/leagues/me", undefined, { own: true });
      if (this.asked === asked) this.draw(league);
    } catch (error) {
      if (this.asked === asked) this.say(this.heading.textContent ? words.stale : (error as LeaderboardsError).detail || words.unreachable, true);
    }
    this.element.setAttribute("aria-busy", "false");
    this.renew();
  }

  private say(text: string, failed = false): void {
    say(this.note, text);
    show(this.note, !!text);
    show(this.retry, failed);
  }

  private draw(league: League): void {
    const { format } = this;
    const { tier, tier_index: at, ends_at: ends, state, entries, results } = league;
    say(this.heading, `${tier} league`);
    fill(this.ends, "Ends ", h("time", { datetime: ends }, this.until(ends)), ".");
    fill(this.ladder, ...this.tiers.map((name, i) => h("li", { "aria-current": i === at && "step" }, name)));
    this.say(state === "playing" ? "" : state === "idle" ? "Play for XP to join this week's league. A week without costs a tier." : "Last week's leagues are being settled. Yours begins in a few minutes.");
    fill(this.board, entries.length > 0 && h(
      "table",
      { "data-testid": "league-board" },
      h("caption", { class: "unseen" }, `${tier} league, ${format.plural(entries.length, ...words.players)}`),
      h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "rank" }, words.rank), h("th", { scope: "col", class: "player" }, words.player), h("th", { scope: "col", class: "score" }, "XP"))),
      ...zones.map(([zone, title]) => this.zone(title, zone, entries.filter((entry) => entry.zone === zone))),
    ));
    fill(this.results, results.length > 0 && h("details", { class: "lists", open: true, "data-testid": "league-results" }, h("summary", {}, "Past weeks"), h("ul", {}, ...results.map((result) => this.result(result)))));
  }

  private zone(title: string, zone: Zone, entries: Entry[]): Node | false {
    if (!entries.length) return false;
    return h("tbody", { "data-zone": zone }, h("tr", { class: "zone" }, h("th", { scope: "rowgroup", colspan: 3 }, title)), ...entries.map((entry) => this.row(entry)));
  }

  private row(entry: Entry): Node {
    const { format } = this;
    const flag = h("span", { class: "flag", role: "img" });
    showFlag(flag, entry.country, format);
    return h(
      "tr",
      { "data-player": entry.player, "aria-current": entry.me && "true" },
      h("td", { class: "rank" }, format.rank(entry.rank)),
      h("td", { class: "player" }, h(
        "div",
        {},
        h("span", { class: "picture", "aria-hidden": "true" }, picture(entry.picture, nameOf(entry), 28)),
        h("button", { type: "button", "aria-haspopup": "dialog", onclick: () => this.chosen(entry) }, h("bdi", {}, nameOf(entry))),
        flag,
        entry.me && h("span", { class: "you" }, words.you),
      )),
      h("td", { class: "score" }, format.count(entry.xp), entry.reward !== undefined && h("small", {}, entry.reward)),
    );
  }

  private result({ week, tier, rank, players, xp, zone, tier_after: after, reward }: Result): Node {
    const { format } = this;
    const moved = after === tier ? `${outcomes.stay} in ${tier}` : `${outcomes[zone]} from ${tier} to ${after}`;
    return h("li", { "data-week": week }, [week, words.of(format.rank(rank), format.count(players)), `${format.count(xp)} XP`, moved, reward].filter(Boolean).join(" · "));
  }

  // until writes the time left: in days from 48 hours on, in hours from 2 on, else in minutes.
  private until(end: string): string {
    const minutes = Math.max(0, Math.round((Date.parse(end) - Date.now()) / 60_000));
    const relative = new Intl.RelativeTimeFormat(this.format.locale);
    if (minutes >= 48 * 60) return relative.format(Math.floor(minutes / 1440), "day");
    return minutes >= 120 ? relative.format(Math.floor(minutes / 60), "hour") : relative.format(minutes, "minute");
  }
}
