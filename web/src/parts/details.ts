// Shows the details that a game has sent with a score.
import { h } from "./dom.ts";

const squares = 10; // lines of a grid at most
const wide = 24; // characters of a line at most

/**
 * gridOf returns the lines of a result's emoji grid. It takes them from `grid`, a text or a list
 * of lines; or makes one line of `guesses`, the number of guesses used (0: not found), and
 * `tries`, the number allowed (6 by default).
 */
export function gridOf(details: unknown): string[] {
  if (!details || typeof details !== "object") return [];
  const { grid, guesses, tries = 6 } = details as { grid?: unknown; guesses?: unknown; tries?: unknown };
  const lines = typeof grid === "string" ? grid.split("\n") : Array.isArray(grid) ? grid : [];
  const kept = lines.filter((line): line is string => typeof line === "string" && !!line.trim()).slice(0, squares);
  if (kept.length) return kept.map((line) => [...line.trim()].slice(0, wide).join(""));
  if (!isCount(guesses) || !isCount(tries) || tries < 1 || guesses > tries) return [];
  return [guesses ? "🟥".repeat(guesses - 1) + "🟩" + "⬛".repeat(tries - guesses) : "🟥".repeat(tries)];
}

const isCount = (n: unknown): n is number => Number.isInteger(n) && (n as number) >= 0 && (n as number) <= wide;

/** showDetails shows the grid and the plain values of details; null if they have none. */
export function showDetails(details: unknown): Node | null {
  if (!details || typeof details !== "object" || Array.isArray(details)) return null;
  const plain = Object.entries(details).filter(([name, value]) => name !== "grid" && ["string", "number", "boolean"].includes(typeof value));
  const grid = gridOf(details);
  if (!plain.length && !grid.length) return null;
  return h(
    "div",
    { part: "details", class: "details" },
    grid.length > 0 && h("p", { class: "grid" }, grid.join("\n")),
    h("dl", {}, ...plain.slice(0, 12).flatMap(([name, value]) => [
      h("dt", {}, h("bdi", {}, name.slice(0, 40).replaceAll("_", " "))),
      h("dd", {}, h("bdi", {}, String(value).slice(0, 120))),
    ])),
  );
}
