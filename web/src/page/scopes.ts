// The choice of a board's scope: a country, a continent, or a group.
import type { Game } from "../../../sdk/js/src/index.ts";
import { fill, h, show } from "../parts/dom.ts";
import { flag, type Format } from "../parts/format.ts";
import { countries } from "./countries.ts";
import { isGroup, periodOf, type State } from "./state.ts";
import { words } from "./words.ts";

type Mode = Game["modes"][number];

/** Whose says who is on a board of the place of boards. */
export type Whose = "everyone" | "country" | "group";

/** scopeOf is the scope of the board that a state shows: "" for everybody, null if the player has yet to choose one. */
export function scopeOf({ tab, country, region, group }: State, mode: Mode | undefined): string | null {
  if (tab === "country") return region ? "region:" + region : "country:" + country;
  if (tab !== "group") return "";
  return group ? "group:" + group : ranksGroups(mode) ? "groups" : null;
}

/** ranksGroups reports whether a mode has a board of groups against each other. */
export const ranksGroups = (mode: Mode | undefined): boolean => !!mode?.scopes.includes("groups");

// Browsers name countries, but not all of them name continents.
const continentOf = (code: string): string | undefined => words.continentNames[code as keyof typeof words.continentNames];

/** nameOfPlace is the name of a state's continent, or of its country in the reader's language. */
export const nameOfPlace = ({ country, region }: State, format: Format): string => continentOf(region) ?? format.country(country);

const other = "?"; // the option of a group that is not listed

export class Scopes {
  private readonly who = h("select", { "data-testid": "who", "aria-label": words.whose, onchange: () => this.choose(this.who.value as Whose) });
  private readonly country = h("select", { "data-testid": "country", "aria-label": words.country, onchange: () => this.turn(this.country.value) });
  private readonly groups = h("select", { "data-testid": "groups", "aria-label": words.group, onchange: () => this.pick(this.groups.value) });
  private readonly group = h("input", {
    "data-testid": "group", "aria-label": words.groupId, placeholder: words.groupId, autocomplete: "off", spellcheck: false, maxlength: 64, pattern: isGroup.source.slice(1, -1), title: words.groupHint, required: true,
    onchange: () => this.name(),
  });
  private readonly all = h("button", { type: "button", class: "ghost", "data-testid": "all-groups", onclick: () => this.go({ group: "" }) }, words.allGroups);
  private readonly form = h("form", { class: "rowish", onsubmit: (event: SubmitEvent) => (event.preventDefault(), this.name()) }, this.groups, this.group, this.all);
  readonly elements = [this.who, this.country, this.form];
  private period: State["period"] = "day";
  private isOther = false; // the player wants to enter a group

  constructor(
    private readonly format: Format,
    private readonly go: (change: Partial<State>) => void,
  ) {}

  /** update shows the choices, and chooses a scope if the state has none yet. */
  update(state: State, game: Game | null, mode: Mode | undefined, home: string | undefined, offered: Whose[]): void {
    this.period = periodOf(state);
    const whose = state.tab === "country" || state.tab === "group" ? state.tab : "everyone";
    const titles = { everyone: words.everyone, country: words.byCountry, group: words.byGroup };
    if (this.who.dataset.listed !== offered.join()) {
      this.who.dataset.listed = offered.join();
      fill(this.who, ...offered.map((value) => h("option", { value }, titles[value])));
    }
    show(this.who, offered.length > 1);
    this.who.value = whose;
    show(this.country, state.tab === "country");
    if (state.tab === "country") this.listCountries(state, mode, home);
    show(this.form, state.tab === "group");
    if (state.tab !== "group") return;
    const { groups = [] } = game ?? {};
    const isRanked = ranksGroups(mode);
    if (!state.group && !isRanked) state.group = groups[0] ?? "";
    const listed = [isRanked, ...groups].join();
    if (this.groups.dataset.listed !== listed) {
      this.groups.dataset.listed = listed;
      fill(this.groups, isRanked && h("option", { value: "" }, words.allGroups), ...groups.map((id) => h("option", { value: id }, id)), h("option", { value: other }, words.otherGroup));
    }
    const isListed = state.group ? groups.includes(state.group) : isRanked;
    show(this.groups, groups.length > 0);
    this.groups.value = isListed && !this.isOther ? state.group : other;
    show(this.group, !groups.length || !isListed || this.isOther);
    this.group.value = state.group;
    show(this.all, isRanked && !!state.group);
  }

  private choose(whose: Whose): void {
    this.isOther = false;
    this.go(whose === "everyone" ? { tab: this.period as State["tab"] } : { tab: whose, period: this.period });
  }

  private pick(group: string): void {
    this.isOther = group === other;
    if (!this.isOther) return this.go({ group });
    show(this.group, true);
    this.group.value = "";
    this.group.focus();
  }

  private name(): void {
    if (!this.group.reportValidity()) return;
    this.isOther = false;
    this.go({ group: this.group.value });
  }

  // turn takes the value of an option: a country's code, or a continent's scope, such as region:EU.
  private turn(value: string): void {
    const [country, region = ""] = value.split(":");
    this.go(region ? { region } : { country, region });
  }

  private listCountries(state: State, mode: Mode | undefined, home: string | undefined): void {
    const scopes = mode?.scopes ?? ["country"];
    const listed = scopes.join();
    if (this.country.dataset.listed !== listed) {
      this.country.dataset.listed = listed;
      fill(
        this.country,
        scopes.includes("region") && places(words.continents, Object.entries(words.continentNames).map(([code, name]) => ["region:" + code, name])),
        scopes.includes("country") && places(words.countries, this.named()),
      );
    }
    if (!continentOf(state.region) || (mode && !scopes.includes("region"))) state.region = "";
    state.country ||= home ?? regionOf(navigator.language);
    if (!countries.includes(state.country)) state.country = "US";
    if (mode && !scopes.includes("country")) state.region ||= "EU";
    this.country.value = state.region ? "region:" + state.region : state.country;
  }

  private named(): [string, string][] {
    const { format } = this;
    const named = countries.map((code) => [code, format.country(code)] as const).sort((a, b) => a[1].localeCompare(b[1], format.locale));
    return named.map(([code, name]) => [code, `${flag(code)} ${name}`]);
  }
}

const places = (label: string, named: [string, string][]) => h("optgroup", { label }, ...named.map(([value, name]) => h("option", { value }, name)));

const regionOf = (language: string) => new Intl.Locale(language).maximize().region ?? "US";
