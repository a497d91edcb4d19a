// A form that sends a score, only in the local product, so that a newcomer sees a board
// change. The game itself is elsewhere.
import type { Client, Game, Result } from "../../../sdk/js/src/index.ts";
import { fill, h, say, show } from "../parts/dom.ts";
import type { Format } from "../parts/format.ts";
import { series } from "./series.ts";
import { reasonOf, words } from "./words.ts";

type Mode = Game["modes"][number];

/** TypingLink is a link to the typing game. */
export class TypingLink {
  readonly element = h("a", { hidden: true, "data-testid": "play-typing" }, words.play);

  /** update shows the link for a mode whose proof is keystrokes; any other mode, and null, hide it. */
  update(mode: Mode | null): void {
    const typed = mode?.play?.proof === "keystrokes";
    show(this.element, typed);
    if (typed) this.element.href = "play/typing/?" + new URLSearchParams({ mode: mode.name });
  }
}

// The parts of the answer to a submission that the page shows next.
const view = ["friends", "week"];

export class Play {
  readonly element: HTMLFormElement;
  private mode: Mode | null = null;
  private readonly scores = h("span", { class: "scores" }); // one input for each number by which the mode ranks
  private readonly button = h("button", { "data-testid": "play" }, words.submit);
  private readonly said = h("span", { role: "status", class: "said", "data-testid": "play-said" });

  constructor(
    private readonly client: Client,
    private readonly format: Format,
    private readonly played: (result: Result, details: unknown) => void,
    private readonly sending: (isSending: boolean) => void,
  ) {
    this.element = h("form", { class: "play", hidden: true, "aria-label": words.submit, onsubmit: (event: SubmitEvent) => (event.preventDefault(), void this.send()) }, this.scores, this.button, this.said);
  }

  /** update shows the form for a mode; null, and a mode whose scores need a play, hide it. */
  update(mode: Mode | null): void {
    if (mode?.play) mode = null;
    show(this.element, mode !== null);
    if (!mode || mode === this.mode) return;
    this.mode = mode;
    fill(this.scores, ...(mode.values ?? [{ ...mode, name: "score" }]).map(({ name, min, max, decimals }) =>
      h("input", {
        type: "number", name, required: true, min, max, step: 10 ** -decimals, "data-testid": "play-" + name,
        "aria-label": name === "score" ? words.score : name.replaceAll("_", " "), placeholder: `${this.format.count(min)} – ${this.format.count(max)}`,
      })));
    say(this.said, "");
  }

  // typed returns the inputs in the shape of a submission.
  private typed(mode: Mode): { score: number } | { values: Record<string, number> } {
    const numbers = [...this.scores.querySelectorAll("input")].map((input) => [input.name, input.valueAsNumber] as const);
    return mode.values ? { values: Object.fromEntries(numbers) } : { score: numbers[0]![1] };
  }

  private async send(): Promise<void> {
    const { mode } = this;
    if (!mode || this.button.disabled) return;
    const typed = this.typed(mode);
    const details = mode.details && "score" in typed ? { guesses: guessesOf(typed.score, mode) } : undefined;
    this.button.disabled = true;
    this.sending(true);
    try {
      const result = await this.client.submit({ mode: mode.name, ...typed, details, view } as never);
      if (result.status === "queued") {
        say(this.said, words.scoreQueued);
        return;
      }
      say(this.said, result.status === "kept" ? words.scoreKept(series(this.format.scores(result, mode.decimals).map((shown) => shown.reverse().join(" ").trim()), this.format)) : words.scoreSaved);
      this.played(result as Result, details);
    } catch (error) {
      say(this.said, reasonOf(error));
    } finally {
      this.sending(false);
      this.button.disabled = false;
    }
  }
}

// guessesOf makes up the number of guesses, of six, that would fit a score; 0: not found.
function guessesOf(score: number, { min, max }: Mode): number {
  const share = (score - min) / (max - min || 1);
  return share <= 0 ? 0 : Math.min(6, 1 + Math.floor((1 - share) * 6));
}
