// The player's league of the week: the tiers, the cohort by zones, the time left, and the
// results of past weeks.
import type { Ask } from "../../../sdk/js/src/transport.ts";
import type { components } from "../../../sdk/js/src/types.gen.ts";
import { fill, h, say, show } from "../parts/dom.ts";
import type { Format } from "../parts/format.ts";
import { dateOf, title } from "../parts/periods.ts";
import { nameOf } from "../parts/player.ts";
import { showFlag, showPicture } from "../parts/row.ts";
import { grab } from "./grab.ts";
import { drawing, shield } from "./pictures.ts";
import { series } from "./series.ts";
import { reasonOf, words } from "./words.ts";

type League = components["schemas"]["League"];
type Entry = components["schemas"]["LeagueEntry"];
type Result = components["schemas"]["LeagueResult"];
type Zone = components["schemas"]["LeagueZone"];

const zones: Zone[] = ["promotion", "stay", "relegation"];

// The colours of ten tiers; further tiers begin again.
const colours = ["#d8925a", "#c3cad8", "#f4c04a", "#5aa9e6", "#e0526e", "#4cb782", "#9b6bdf", "#f0f2f7", "#394867", "#7de2f0"];

const age = 30_000; // ms after which standings are requested again
const place = "framedle.week"; // the key in localStorage of the last week whose end was shown

const emblem = (at: number, tiles = shield.slice(0, 1)) => {
  const made = drawing(tiles, [88, 96], "shield");
  made.style.setProperty("--tier", colours[at % colours.length]!);
  return made;
};

export class LeaguePlace {
  private readonly heading = h("h2", { "data-testid": "league-tier" });
  private readonly shield = h("div");
  private readonly ends = h("p", { "data-testid": "league-ends", class: "small" });
  private readonly ladder = h("ol", { class: "ladder", "aria-label": words.tiers });
  private readonly goal = h("p", { "data-testid": "league-goal" });
  private readonly hero = h("div", { class: "hero" }, this.shield, this.heading, this.ends, this.ladder, this.goal);
  private readonly note = h("p", { "data-testid": "league-note", class: "message", hidden: true });
  private readonly retry = h("button", { type: "button", "data-testid": "league-retry", hidden: true, onclick: () => void this.load() }, words.retry);
  private readonly board = h("div");
  private readonly results = h("div");
  private readonly ceremony = h("dialog", { class: "sheet", "data-testid": "league-ceremony", "aria-labelledby": "ceremony", onclick: (event: MouseEvent) => event.target === this.ceremony && this.ceremony.close() });
  readonly element = h("div", { class: "league", "data-testid": "league", hidden: true, "aria-busy": "true" }, this.hero, this.note, this.retry, this.board, this.results);
  private tiers: string[] = [];
  private asked = 0; // time of the last request, by performance.now(); 0: none yet
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly ask: Ask,
    private readonly format: Format,
    private readonly chosen: (entry: Entry) => void,
  ) {
    show(this.hero, false);
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
    for (const part of [this.heading, this.ends, this.ladder, this.goal, this.board, this.results]) fill(part);
    show(this.hero, false);
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
      if (this.asked === asked) this.say(this.heading.textContent ? words.stale : reasonOf(error), true);
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
    const { tier, tier_index: at, ends_at: ends, state, entries, results, promote } = league;
    show(this.hero, true);
    this.hero.style.setProperty("--tier", colours[at % colours.length]!);
    fill(this.shield, emblem(at, shield));
    say(this.heading, words.leagueOf(tier));
    const above = this.tiers[at + 1];
    fill(this.ends, h("time", { datetime: ends }, words.ends(this.until(ends))), !!above && promote > 0 && ` · ${words.moveTo(format.plural(promote, words.moveUp), above)}`);
    fill(this.ladder, ...this.tiers.map((name, i) => h("li", { "aria-current": i === at && "step", class: i > at && "off", title: name }, emblem(i), h("span", { class: "unseen" }, name))));
    this.reach(league);
    this.say(state === "playing" ? "" : state === "idle" ? words.idle : words.settling);
    const had = this.board.contains(document.activeElement) ? (document.activeElement!.closest<HTMLElement>("tr")?.dataset.player ?? null) : null;
    fill(this.board, entries.length > 0 && h(
      "table",
      { class: "league-board", "data-testid": "league-board" },
      h("caption", { class: "unseen" }, series([words.leagueOf(tier), format.plural(entries.length, words.players)], format)),
      h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "rank" }, words.rank), h("th", { scope: "col", class: "player" }, words.player), h("th", { scope: "col", class: "score" }, words.xp))),
      ...zones.map((zone) => this.zone(zone, entries.filter((entry) => entry.zone === zone))),
    ));
    if (had) this.board.querySelector<HTMLElement>(`[data-player="${CSS.escape(had)}"] button`)?.focus({ preventScroll: true });
    fill(this.results, results.length > 0 && h("details", { class: "box", open: true, "data-testid": "league-results" }, h("summary", {}, words.pastWeeks), h("ul", { class: "past" }, ...results.map((result) => this.result(result)))));
    if (results[0]) this.celebrate(results[0], league);
  }

  // reach says where the player is, and how far the next zone up and the last zone are.
  private reach({ rank, zone, entries, promote }: League): void {
    const { format } = this;
    const own = entries.find((entry) => entry.me);
    if (!own || rank === null) return fill(this.goal);
    const safe = entries.filter((entry) => entry.zone !== "relegation");
    const up = entries[promote - 1];
    const falling = entries.find((entry) => entry.zone === "relegation");
    const parts = [
      zone === "promotion" ? words.inPromotion : up && words.toPromotion(format.count(Math.max(1, up.xp - own.xp + 1))),
      zone === "relegation" ? words.inRelegation(format.count(Math.max(1, safe.at(-1) ? safe.at(-1)!.xp - own.xp + 1 : 1))) : falling && words.aboveDrop(format.count(Math.max(0, own.xp - falling.xp))),
    ].filter(Boolean);
    fill(this.goal, h("strong", {}, words.youAre(format.count(rank))), ...parts.flatMap((part) => ["\u00a0· ", h("span", {}, part as string)])); // no line begins with the dot
  }

  private zone(zone: Zone, entries: Entry[]): Node | false {
    if (!entries.length) return false;
    const n = this.format.count(entries.length);
    const heading = zone === "promotion" ? words.promotion(n) : zone === "relegation" ? words.relegation(n) : words.stay;
    return h("tbody", { "data-zone": zone }, h("tr", { class: "zone" }, h("th", { scope: "rowgroup", colspan: 3 }, heading)), ...entries.map((entry) => this.row(entry)));
  }

  private row(entry: Entry): Node {
    const { format } = this;
    const flag = h("span", { class: "flag", role: "img" });
    showFlag(flag, entry.country, format);
    const picture = h("span", { class: "picture", "aria-hidden": "true" });
    showPicture(picture, entry.picture, entry);
    return h(
      "tr",
      { "data-player": entry.player, "aria-current": entry.me && "true", onclick: () => this.chosen(entry) },
      h("td", { class: "rank" }, h("span", { class: entry.rank < 4 ? `medal m${entry.rank}` : null }, format.count(entry.rank))),
      h("td", { class: "player" }, h(
        "div",
        {},
        picture,
        h("button", { type: "button", "aria-haspopup": "dialog" }, h("bdi", {}, nameOf(entry))),
        flag,
        entry.me && h("span", { class: "you" }, words.you),
      )),
      h("td", { class: "score" }, format.count(entry.xp), entry.reward !== undefined && h("small", {}, h("span", { "aria-hidden": "true" }, "🎁 "), entry.reward)),
    );
  }

  private moved({ tier, zone, tier_after: after }: Result): string {
    return after === tier ? words.stayedIn(tier) : zone === "promotion" ? words.promotedTo(after) : words.relegatedTo(after);
  }

  private result(result: Result): Node {
    const { format } = this;
    const { week, rank, players, xp, reward } = result;
    const first = dateOf("week", week);
    return h(
      "li",
      { "data-week": week },
      h("strong", {}, this.moved(result)),
      h("div", { class: "small" }, [first ? title("week", first, format, new Date().toISOString()) : week, words.of(format.count(rank), format.count(players)), `${format.count(xp)} ${words.xp}`, reward && `🎁 ${reward}`].filter(Boolean).join(" · ")),
    );
  }

  // celebrate says once how the week before has ended.
  private celebrate(result: Result, league: League): void {
    const [ended, began] = [dateOf("week", result.week), dateOf("week", league.week)];
    if (!ended || !began || Date.parse(began) - Date.parse(ended) !== 7 * 86_400_000 || this.element.hidden) return;
    try {
      if (localStorage.getItem(place) === result.week) return;
      localStorage.setItem(place, result.week);
    } catch {
      return; // it would be shown each time
    }
    const at = Math.max(0, this.tiers.indexOf(result.tier_after));
    const { format } = this;
    fill(
      this.ceremony,
      grab(),
      h("div", { class: "result" },
        h("div", { class: "hero-shield" }, emblem(at, shield)),
        h("h2", { id: "ceremony" }, this.moved(result)),
        h("p", {}, words.lastWeek(format.count(result.rank), format.count(result.players)), result.reward && ` 🎁 ${result.reward}`),
        h("button", { type: "button", class: "primary", onclick: () => this.ceremony.close() }, result.zone === "promotion" ? words.great : words.close)),
    );
    this.element.closest(".lb")!.append(this.ceremony); // above all, with the colours of a sheet
    this.ceremony.showModal();
  }

  // until writes the time left: in days from 48 hours on, in hours from 2 on, else in minutes.
  private until(end: string): string {
    const minutes = Math.max(0, Math.round((Date.parse(end) - Date.now()) / 60_000));
    const relative = new Intl.RelativeTimeFormat(this.format.locale);
    if (minutes >= 48 * 60) return relative.format(Math.floor(minutes / 1440), "day");
    return minutes >= 120 ? relative.format(Math.floor(minutes / 60), "hour") : relative.format(minutes, "minute");
  }
}
