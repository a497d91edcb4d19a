// How the points of a mode come about that is computed from what players do: from the values
// of the game file, below the board.
import type { GameMode } from "../../../sdk/js/src/index.ts";
import { fill, h, show } from "../parts/dom.ts";
import type { Format } from "../parts/format.ts";
import { words } from "./words.ts";

export class Points {
  private readonly body = h("div");
  readonly element = h("details", { class: "box points", "data-testid": "points", hidden: true }, h("summary", {}, words.howPoints), this.body);
  private mode: GameMode | null = null;

  constructor(private readonly format: Format, private readonly title: (mode: string) => string) {}

  /** update takes the mode of the board; null if the board is of none. */
  update(mode: GameMode | null): void {
    const { points, decay } = mode ?? {};
    show(this.element, !!points);
    if (!points || this.mode === mode) return;
    this.mode = mode;
    const { format } = this;
    const { counters = [], modes = [], streak } = points;
    fill(
      this.body,
      counters.length > 0 && h("ul", {}, ...counters.map(({ name, title, weight, cap }) =>
        h("li", {}, h("span", {}, title || plain(name)), h("strong", {}, words.pointsEach(format.count(weight))), cap !== undefined && h("small", {}, words.pointsCap(format.count(cap)))))),
      modes.length > 0 && h("p", {}, words.pointsOf(new Intl.ListFormat(format.locale, { type: "conjunction" }).format(modes.map(this.title)))),
      !!streak && streak.times > 1 && h("p", {}, words.pointsStreak(format.count(streak.times), format.plural(streak.days, words.pointsDays))),
      h("p", {}, words.pointsLonger),
      !!decay && h("p", {}, words.pointsDecay(format.percent(100 * decay.factor), format.plural(decay.days, words.pointsDays))),
    );
  }
}

// Without a title in the game file, a counter's name is written as words.
function plain(name: string): string {
  const text = name.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
