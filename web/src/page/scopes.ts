// The choice of a board's scope: a country, a continent, or a group.
import type { Game } from "../../../sdk/js/src/index.ts";
import { fill, h, show } from "../parts/dom.ts";
import { flag, type Format } from "../parts/format.ts";
import { countries } from "./countries.ts";
import { isGroup, type State } from "./state.ts";

type Mode = Game["modes"][number];

/** scopeOf is the scope of the board that a state shows: "" for everybody, null if the player has yet to choose one. */
export function scopeOf({ tab, country, region, group }: State, mode: Mode | undefined): string | null {
  if (tab === "country") return region ? "region:" + region : "country:" + country;
  if (tab !== "group") return "";
  return group ? "group:" + group : ranksGroups(mode) ? "groups" : null;
}

/** ranksGroups reports whether a mode has a board of groups against each other. */
export const ranksGroups = (mode: Mode | undefined): boolean => !!mode?.scopes.includes("groups");

// Browsers name countries, but not all of them name continents.
const continents: Record<string, string> = { AF: "Africa", AN: "Antarctica", AS: "Asia", EU: "Europe", NA: "North America", OC: "Oceania", SA: "South America" };

/** nameOfPlace is the name of a state's continent, or of its country in the reader's language. */
export const nameOfPlace = ({ country, region }: State, format: Format): string => continents[region] ?? format.country(country);

export class Scopes {
  private readonly country = h("select", { "data-testid": "country", "aria-label": "Country", onchange: () => this.turn(this.country.value) });
  private readonly known = h("datalist", { id: "groups" });
  private readonly group = h("input", {
    "data-testid": "group", "aria-label": "Group", list: "groups", placeholder: "A group's id", autocomplete: "off", spellcheck: false, maxlength: 64, pattern: isGroup.source.slice(1, -1), title: "Letters, digits, _ and -", required: true,
    onchange: () => this.name(),
  });
  private readonly all = h("button", { type: "button", "data-testid": "all-groups", onclick: () => this.go({ group: "" }) }, "All groups");
  private readonly form = h("form", { class: "row", onsubmit: (event: SubmitEvent) => (event.preventDefault(), this.name()) }, this.group, this.known, this.all);
  readonly elements = [this.country, this.form];

  constructor(
    private readonly format: Format,
    private readonly go: (change: Partial<State>) => void,
  ) {}

  /** update shows the choices, and chooses a scope if the state has none yet. */
  update(state: State, game: Game | null, mode: Mode | undefined, home: string | undefined): void {
    show(this.country, state.tab === "country");
    if (state.tab === "country") this.listCountries(state, mode, home);
    show(this.form, state.tab === "group");
    if (state.tab !== "group") return;
    const { groups = [] } = game ?? {};
    if (!state.group && !ranksGroups(mode)) state.group = groups[0] ?? "";
    if (this.known.childElementCount !== groups.length) fill(this.known, ...groups.map((id) => h("option", { value: id })));
    this.group.value = state.group;
    show(this.all, ranksGroups(mode) && !!state.group);
  }

  private name(): void {
    if (this.group.reportValidity()) this.go({ group: this.group.value });
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
        scopes.includes("region") && places("Continents", Object.entries(continents).map(([code, name]) => ["region:" + code, name])),
        scopes.includes("country") && places("Countries", this.named()),
      );
    }
    if (!(state.region in continents) || (mode && !scopes.includes("region"))) state.region = "";
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
