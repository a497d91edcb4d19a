// Whose board it is, where it is not everybody's: a country's, or a group's.
import type { Game } from "../../../sdk/js/src/index.ts";
import { fill, h, show } from "../parts/dom.ts";
import { flag, type Format } from "../parts/format.ts";
import { countries } from "./countries.ts";
import { isGroup, type State } from "./state.ts";

type Mode = Game["modes"][number];

/** scopeOf is the scope that a state asks for; null where it has yet to be chosen, "" for everybody. */
export function scopeOf({ tab, country, group }: State, mode: Mode | undefined): string | null {
  if (tab === "country") return "country:" + country;
  if (tab !== "group") return "";
  return group ? "group:" + group : ranksGroups(mode) ? "groups" : null;
}

/** ranksGroups reports whether a mode has a board of groups against each other. */
export const ranksGroups = (mode: Mode | undefined): boolean => !!mode?.scopes.includes("groups");

export class Scopes {
  private readonly country = h("select", { "data-testid": "country", "aria-label": "Country", onchange: () => this.go({ country: this.country.value }) });
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

  /** update shows what there is to choose, and chooses where nothing is chosen yet. */
  update(state: State, game: Game | null, mode: Mode | undefined, home: string | undefined): void {
    show(this.country, state.tab === "country");
    if (state.tab === "country") this.listCountries(state, home);
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

  private listCountries(state: State, home: string | undefined): void {
    const { format } = this;
    state.country ||= home ?? regionOf(navigator.language);
    if (!this.country.options.length) {
      const named = countries.map((code) => [code, format.country(code)] as const).sort((a, b) => a[1].localeCompare(b[1], format.locale));
      this.country.append(...named.map(([code, name]) => h("option", { value: code }, `${flag(code)} ${name}`)));
    }
    if (!countries.includes(state.country)) state.country = "US";
    this.country.value = state.country;
  }
}

const regionOf = (language: string) => new Intl.Locale(language).maximize().region ?? "US";
