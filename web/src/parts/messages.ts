// Messages about a board, beside its rows.
import type { LeaderboardsError } from "../../../sdk/js/src/index.ts";
import type { Board } from "./board.ts";
import { fill, h, show } from "./dom.ts";
import type { Format } from "./format.ts";
import { words } from "./words.ts";

export class Messages {
  readonly error = h("p", { "data-testid": "error", part: "error", class: "message", role: "alert", hidden: true });
  readonly note = h("p", { "data-testid": "note", part: "note", class: "message", hidden: true });
  readonly #text = h("span");

  constructor(
    private readonly format: Format,
    retry: () => void,
  ) {
    this.error.append(this.#text, " ", h("button", { type: "button", "data-testid": "retry", onclick: retry }, words.retry));
  }

  update(board: Board, degraded: boolean): void {
    const fault = board.error ? faultOf(board.error, board, this.format) : "";
    show(this.error, !!fault);
    if (this.#text.textContent !== fault) fill(this.#text, fault);
    const note = noteOf(board, degraded);
    show(this.note, !!note);
    if (this.note.textContent !== note) fill(this.note, note);
  }
}

function faultOf(error: LeaderboardsError, board: Board, format: Format): string {
  const { status, code, retryAfter } = error;
  if (status === 429 || code === "trip-wire") return words.limited(format.time(board.retryAt || Date.now() + (retryAfter ?? 1) * 1000));
  if (status === 401) return words.signedOut;
  if (!status || status >= 500 || status === 408) return board.page ? words.stale : words.unreachable;
  return words.refused(error.detail);
}

function noteOf({ page, error, loading, query }: Board, degraded: boolean): string {
  if (!page || (error && !page.entries.length)) return "";
  const said: string[] = [];
  if (page.stale && !error) said.push(words.stale);
  if (page.history) said.push(words.noHistory);
  else if (!page.entries.length && !loading) said.push(page.closed || query?.date ? words.emptyPast : words.empty);
  if (degraded) said.push(words.degraded);
  return said.join(" ");
}
