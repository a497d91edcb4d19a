// Messages about a board, beside its rows.
import type { LeaderboardsError } from "../../../sdk/js/src/index.ts";
import type { Board } from "./board.ts";
import { fill, h, show } from "./dom.ts";
import type { Format } from "./format.ts";
import { words } from "./words.ts";

/** Fault is what is wrong, for players: what to say, whether to try again helps, and a name for a picture. */
export interface Fault {
  kind: "" | "offline" | "server" | "limited" | "maintenance" | "refused";
  text: string;
  retry: boolean;
}

export class Messages {
  readonly error = h("p", { "data-testid": "error", part: "error", class: "message", role: "alert", hidden: true });
  readonly note = h("p", { "data-testid": "note", part: "note", class: "message", hidden: true });
  readonly #text = h("span");
  readonly #retry: HTMLElement;
  #logged: unknown;

  constructor(
    private readonly format: Format,
    retry: () => void,
  ) {
    this.#retry = h("button", { type: "button", "data-testid": "retry", onclick: retry }, words.retry);
    this.error.append(this.#text, " ", this.#retry);
  }

  update(board: Board, degraded: boolean): void {
    const { error } = board;
    const fault = faultOf(error, board, this.format);
    show(this.error, !!fault.text);
    this.error.dataset.kind = fault.kind;
    show(this.#retry, fault.retry);
    if (this.#text.textContent !== fault.text) fill(this.#text, fault.text);
    // What is set up wrongly is for the developer of the web page; players cannot mend it.
    if (error && fault.kind === "refused" && this.#logged !== error.detail) console.error("Leaderboard: " + (this.#logged = error.detail));
    const note = noteOf(board, degraded);
    show(this.note, !!note);
    if (this.note.textContent !== note) fill(this.note, note);
  }
}

function faultOf(error: LeaderboardsError | null, board: Board, format: Format): Fault {
  const time = board.page ? format.time(new Date(board.page.updated_at)) : "";
  if (!navigator.onLine) return { kind: "offline", text: words.offline(time), retry: false };
  if (!error) return { kind: "", text: "", retry: false };
  const { status, code, retryAfter } = error;
  if (status === 429 || code === "trip-wire") return { kind: "limited", text: words.limited(format.time(board.retryAt || Date.now() + (retryAfter ?? 1) * 1000)), retry: true };
  if (code === "maintenance") return { kind: "maintenance", text: words.maintenance, retry: true };
  if (status === 401) return { kind: "refused", text: words.signedOut, retry: false };
  if (!status || status >= 500 || status === 408) return { kind: "server", text: board.page ? words.stale : words.unreachable, retry: true };
  return { kind: "refused", text: words.refused, retry: false };
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
