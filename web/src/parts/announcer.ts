// Announces changes to screen readers, politely: at most every 10 seconds, and then only the
// latest.
import { h, say } from "./dom.ts";

const pause = 10_000; // ms

export class Announcer {
  readonly element = h("div", { role: "status", "aria-live": "polite", class: "unseen" });
  #last = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  announce(text: string): void {
    clearTimeout(this.#timer);
    const wait = this.#last + pause - performance.now();
    if (wait > 0) {
      this.#timer = setTimeout(() => this.announce(text), wait);
      return;
    }
    if (this.element.textContent === text) return;
    this.#last = performance.now();
    say(this.element, text);
  }
}
