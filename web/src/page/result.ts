// The moment after a score: what it brought, and confetti for a first place or a new best.
import type { Result } from "../../../sdk/js/src/index.ts";
import { h, say } from "../parts/dom.ts";
import type { Format } from "../parts/format.ts";
import { words } from "./words.ts";
import { toasts } from "./toast.ts";

const shownFor = 7000; // ms
const counts = 400; // ms in which the score counts up
const pieces = 24;

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export interface Moment {
  result: Result;
  before: number | null; // the rank before
  score: string;
  acts: Node[];
}

let last: HTMLElement | undefined;

/** celebrate shows what a score brought. */
export function celebrate({ result, before, score, acts }: Moment, format: Format): void {
  last?.remove();
  const { rank, total = 1, status, streak, xp } = result;
  if (!rank) return;
  const number = h("span", { class: "counted" }, score);
  const facts = [
    before && before !== rank ? words.moved(format.count(before), format.count(rank)) : rank === 1 ? words.scoreFirst : words.scoreRank(format.count(rank), format.count(Math.max(total, rank))),
    streak && streak.current > 1 ? format.plural(streak.current, words.streakIs) : "",
    xp ? `+${format.count(xp)} ${words.xp}` : "",
  ].filter(Boolean);
  const element = h("div", { class: "box result", "data-testid": "moment" }, h("strong", {}, words.scoreSaved), number, h("span", {}, facts.join(" · ")), h("div", { class: "rowish" }, ...acts));
  last = element;
  toasts.append(element);
  const end = setTimeout(() => element.remove(), shownFor);
  element.addEventListener("focusin", () => clearTimeout(end)); // while it is used, it stays
  element.addEventListener("click", () => element.remove());
  if (isStill()) return;
  if (result.values === undefined) countUp(number, result.score, score, format);
  if (status !== "kept" && (rank === 1 || status === "improved")) throwConfetti();
}

function countUp(element: HTMLElement, to: number, text: string, format: Format): void {
  const began = performance.now();
  const step = (now: number) => {
    const share = Math.min(1, (now - began) / counts);
    say(element, share === 1 ? text : format.count(Math.round(to * share)));
    if (share < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

function throwConfetti(): void {
  const sky = h("div", { class: "confetti", "aria-hidden": "true" }, ...Array.from({ length: pieces }, (_, i) => {
    const piece = h("i");
    piece.style.insetInlineStart = `${(i * 41) % 100}%`;
    piece.style.animationDelay = `${(i % 6) * 80}ms`;
    piece.style.background = `oklch(.75 .17 ${(i * 75) % 360})`;
    return piece;
  }));
  toasts.parentElement?.append(sky);
  setTimeout(() => sky.remove(), 3000);
}
