// The states of the elements, each with what makes it.
import { among, answer, card, moving, page, problem, valued } from "./answers.ts";

import type { Elements } from "../../../sdk/js/src/elements.ts";

export interface State {
  title: string;
  note: string;
  tag?: keyof Elements;
  attributes?: Record<string, string>;
  signedIn?: boolean;
  width?: number; // pixels
  answer: (url: URL) => Response | Promise<Response>;
}

const board = (made?: Parameters<typeof answer>[1]) => (url: URL) => answer(url, made ?? {});
const far = { page, card: () => card(1204, { score: 430, rank_change: -12, top_percent: 25 }) };

export const states: State[] = [
  { title: "Board", note: "Names from strangers: long ones, from right to left, emoji. A click opens a card.", answer: board() },
  { title: "Signed in", note: "getToken is set: the player's own row is marked, and has the change.", signedIn: true, answer: board({ page: among, card: () => card(4) }) },
  { title: "Own row further down", note: "It is pinned, with its neighbours, and Show my place leads there.", signedIn: true, answer: board(far) },
  { title: "Podium and heading", note: "podium, heading", attributes: { podium: "", heading: "Today’s best" }, answer: board() },
  { title: "Compact", note: "compact", attributes: { compact: "" }, answer: board() },
  { title: "Narrow", note: "In a column of 300 pixels.", width: 300, signedIn: true, answer: board({ page: among, card: () => card(4) }) },
  { title: "Live", note: "live: rows glide to their new places.", attributes: { live: "" }, answer: board({ page: moving }) },
  { title: "Several values", note: "A mode that ranks by several values.", answer: board({ page: valued }) },
  { title: "Loading", note: "The API has not answered yet.", answer: () => new Promise<Response>(() => {}) },
  { title: "Empty", note: "Nobody has a score yet.", answer: board({ page: () => page({ entries: [], total: 0, next_cursor: undefined } as never) }) },
  { title: "Final", note: "The period is over.", answer: board({ page: () => page({ closed: true }) }) },
  { title: "Not archived", note: "Boards of the past are not available.", answer: board({ page: () => page({ entries: [], total: 0, closed: true, history: "unavailable", next_cursor: undefined } as never) }) },
  { title: "Not on the board yet", note: "Signed in, without a score.", signedIn: true, answer: board() },
  { title: "Stale", note: "Redis does not answer: the last known standings.", answer: board({ page: () => page({ stale: true }) }) },
  { title: "Unreachable", note: "The API does not answer. It is tried again by itself, and by the button.", answer: () => problem(501, "failed", "the made-up API fails") },
  { title: "Too many requests", note: "The element says when it tries again.", answer: () => problem(429, "rate-limited", "the limit is 300 in 1m0s", { "Retry-After": "3600" }) },
  { title: "Maintenance", note: "The operator has paused scores.", answer: () => problem(403, "maintenance", "scores are paused") },
  { title: "Set up wrongly", note: "An unknown mode, for example. Developers read what is wrong in the console.", attributes: { mode: "no_such_mode" }, answer: () => problem(404, "unknown-mode", "There is no mode no_such_mode") },
  { title: "Rank", note: "framedle-rank", tag: "framedle-rank", signedIn: true, answer: board({ card: () => card(4) }) },
  { title: "Rank, signed out", note: "Without getToken it sends no request.", tag: "framedle-rank", answer: board() },
];
