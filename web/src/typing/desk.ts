// The text to type, the field, and the clock. The recorder records the keys, and the server
// works the score out.
import type { KeystrokesProof } from "../../../sdk/js/src/index.ts";
import { align, Recorder } from "../../../sdk/js/src/plays.ts";
import { fill, h, say, show } from "../parts/dom.ts";
import { drawing } from "../page/pictures.ts";
import { words } from "./words.ts";

export interface Challenge {
  text: string;
  seconds: number;
}

export interface DeskOptions {
  finished: (proof: KeystrokesProof) => void;
  /** Called with the share of the text that the player has typed, from 0 to 1. */
  progressed?: (share: number) => void;
}

export class Desk {
  readonly element = h("div");
  private readonly left = h("output", { "data-testid": "left", "aria-label": words.secondsLeft });
  private readonly speed = h("span", { "data-testid": "live-wpm" });
  private readonly share = h("span", { "data-testid": "live-accuracy" });
  private readonly text = h("p", { class: "text", "data-testid": "text", "aria-hidden": "true" });
  private readonly field = h("textarea", {
    rows: 3, disabled: true, "data-testid": "typed", "aria-label": words.typeHere,
    autocomplete: "off", autocapitalize: "off", autocorrect: "off", spellcheck: "false",
  });
  private readonly spoken = h("p", { class: "unseen", id: "spoken" });
  private readonly stage = h("div", { class: "stage" });
  private letters: HTMLElement[] = [];
  private right = 0; // letters that are typed right
  private speeds: number[] = []; // words per minute, each second
  private challenge: Challenge | null = null;
  private keys: Recorder | undefined;
  private ends = 0; // when the time is over, by performance.now(); 0: the clock does not run
  private ticking: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly o: DeskOptions) {
    this.field.setAttribute("aria-describedby", "spoken");
    // Listen above the field: when the event bubbles up to here, the recorder, which listens at the
    // field, has counted the key.
    this.element.addEventListener("keydown", () => this.keys?.keys && !this.ends && this.start());
    this.field.addEventListener("input", (event) => this.typed((event as InputEvent).isComposing));
    this.field.addEventListener("compositionend", () => this.typed());
    for (const kind of ["paste", "drop"]) this.field.addEventListener(kind, (event) => event.preventDefault());
    this.stage.append(this.text, this.field);
    // What is typed shows in the text: the field lies over it, unseen.
    fill(this.element, h("div", { class: "clock" }, this.left, h("span", { class: "meters", "aria-hidden": "true" }, this.speed, " ", this.share)), this.stage, this.spoken);
    show(this.stage, false);
  }

  /** load shows the text of a challenge; the player cannot type it yet. */
  load(challenge: Challenge): void {
    this.stop();
    this.challenge = challenge;
    this.keys = new Recorder(this.field, challenge.seconds);
    this.field.value = "";
    this.letters = [...challenge.text.normalize("NFC")].map((letter) => h("span", {}, letter));
    fill(this.text, ...this.letters);
    this.right = 0;
    this.speeds = [];
    this.meter(0);
    show(this.stage, true);
    say(this.spoken, challenge.text);
    say(this.left, String(challenge.seconds));
    this.mark();
  }

  /** open lets the player type. The clock starts with the first key, or at once. */
  open(atOnce = false): void {
    this.field.disabled = false;
    this.field.focus();
    if (atOnce) this.start();
  }

  /** stop ends the test without a result. */
  stop(): void {
    clearInterval(this.ticking);
    this.ends = 0;
    this.keys?.stop("");
    this.field.disabled = true;
  }

  private start(): void {
    this.ends = performance.now() + this.challenge!.seconds * 1000;
    this.ticking = setInterval(() => this.tick(), 100);
  }

  private tick(): void {
    const left = this.ends - performance.now();
    say(this.left, String(Math.max(0, Math.ceil(left / 1000))));
    const elapsed = this.challenge!.seconds - left / 1000;
    if (elapsed >= this.speeds.length + 1) {
      this.meter(elapsed);
      this.speeds.push(this.wpm(elapsed));
    }
    if (left <= 0) this.finish();
  }

  private wpm(elapsed: number): number {
    return elapsed > 0 ? this.right / 5 / (elapsed / 60) : 0;
  }

  private meter(elapsed: number): void {
    const keys = this.keys?.keys ?? 0;
    say(this.speed, elapsed ? `${Math.round(this.wpm(elapsed))} ${words.wpm}` : "");
    say(this.share, elapsed && keys ? `${Math.min(100, Math.round((100 * this.right) / keys))}%` : "");
  }

  /** graph is the course of the last test: the words per minute at each second. */
  graph(): HTMLElement | null {
    const { speeds } = this;
    if (speeds.length < 2) return null;
    const top = Math.max(...speeds, 1);
    const path = "M" + speeds.map((speed, i) => `${((400 * i) / (speeds.length - 1)).toFixed(1)} ${(64 - (60 * speed) / top).toFixed(1)}`).join("L");
    return h("figure", { class: "course", "data-testid": "course" }, drawing([path], [400, 68], "plot"), h("figcaption", { class: "small" }, words.course));
  }

  private typed(composing = false): void {
    const { length } = this.letters;
    const typed = this.mark(composing);
    this.o.progressed?.(typed / length);
    // A player who has typed the whole text waits until the time is over: speed is per whole time.
    if (typed >= length && !composing) this.field.disabled = true;
  }

  // mark compares what was typed with the text by its edits, as the server does, and returns how far it got.
  private mark(composing = false): number {
    const typed = [...this.field.value.normalize("NFC")];
    if (composing) typed.pop(); // it is not yet what it will be
    const { right, next, edits } = align(typed, this.letters.map((letter) => letter.textContent!));
    this.right = Math.max(0, typed.length - edits);
    for (const [i, letter] of this.letters.entries()) {
      const kind = i < next ? (right[i] ? "right" : "wrong") : i === next ? "next" : "";
      if (letter.className !== kind) letter.className = kind;
    }
    // Keep the current line in sight, with the line before it above.
    const at = this.letters[next];
    const line = parseFloat(getComputedStyle(this.text).lineHeight);
    if (at) this.text.scrollTop = (Math.floor(at.offsetTop / line) - 1) * line;
    return next;
  }

  private finish(): void {
    const proof = this.keys!.stop(this.field.value);
    this.stop();
    this.o.finished(proof);
  }
}
