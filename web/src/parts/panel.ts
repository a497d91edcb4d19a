// A board on the screen: the line above it, messages, the table, the button for more rows,
// the card. The page and the widget use it.
import type { Client, Entry } from "../../../sdk/js/src/index.ts";
import { Announcer } from "./announcer.ts";
import { Board, type BoardOptions, type Query } from "./board.ts";
import { CardDialog } from "./card.ts";
import { h, show } from "./dom.ts";
import type { Decimals, Format } from "./format.ts";
import { Messages } from "./messages.ts";
import { Summary } from "./summary.ts";
import { Table } from "./table.ts";
import { words } from "./words.ts";

export interface PanelOptions extends Omit<BoardOptions, "client" | "changed" | "firstInSight"> {
  client: Client;
  format: Format;
  pictures: boolean;
  /** Returns the table's caption, for screen readers. */
  caption: (query: Query) => string;
  decimals?: ((query: Query) => Decimals) | undefined;
  signedOut?: (() => string | undefined) | undefined; // the text instead of the rank
  degraded?: (() => boolean) | undefined;
  /** Called when a row is chosen. If it returns true, the card does not open. */
  chosen?: ((entry: Entry) => boolean | void) | undefined;
  /** Called when the card has been closed. */
  closed?: (() => void) | undefined;
  shown?: ((panel: Panel) => void) | undefined;
  beside?: Node[] | undefined;
}

export class Panel {
  readonly element = h("div", { class: "panel" });
  readonly board: Board;
  readonly card: CardDialog;
  readonly #place = h("div");
  readonly announcer = new Announcer();
  readonly #summary: Summary;
  readonly #messages: Messages;
  readonly #table: Table;
  readonly #more = h("button", { type: "button", "data-testid": "more", part: "more", class: "more", hidden: true, onclick: () => void this.board.more() }, words.more);
  #announced: { board?: string; rank?: number | null | undefined } = {};

  constructor(private readonly o: PanelOptions) {
    this.board = new Board({ ...o, changed: () => this.update(), firstInSight: () => this.#table.firstInSight() });
    this.card = new CardDialog(o.client, o.format, o.pictures, o.closed);
    this.#summary = new Summary(o.format, ...(o.beside ?? []));
    this.#messages = new Messages(o.format, () => this.board.retry());
    this.#table = new Table(o.format, (entry) => this.choose(entry), o.pictures);
    this.#place.append(this.#table.element);
    this.element.append(this.#summary.element, this.#messages.error, this.#place, this.#more, this.card.element, this.announcer.element);
  }

  /** choose opens a player's card. */
  choose(entry: Entry): void {
    const { board, o } = this;
    if (o.chosen?.(entry) || !board.query) return;
    void this.card.open(entry, board.query, entry.player === board.me);
  }

  /** update shows the board's state. Call it also when anything else that the panel shows has changed. */
  update(): void {
    const { board, o } = this;
    const { query, page, own, me, error } = board;
    if (!query) return;
    this.#summary.update(board, me === null ? o.signedOut?.() : undefined);
    this.#messages.update(board, o.degraded?.() ?? false);
    // If the board has no rows, the note takes their place, so that the table does not move.
    const { note } = this.#messages;
    if (!page?.entries.length) this.#place.append(note);
    else if (note.parentElement !== this.element) this.#place.before(note);
    const entries = page?.entries ?? (error ? [] : null);
    const reserved = Math.min(query.limit, 10);
    this.#place.style.minBlockSize = `calc(${reserved + 1} * var(--_row))`;
    this.#table.update({ caption: o.caption(query), entries, own, me, decimals: o.decimals?.(query), reserved });
    show(this.#more, !!page?.next_cursor);
    this.#more.disabled = board.loading;
    this.#announce();
    o.shown?.(this);
  }

  // #announce announces a board when it is first shown, and later each change of the player's rank.
  #announce(): void {
    const { page, own } = this.board;
    if (!page) return;
    const { format } = this.o;
    const players = format.plural(page.total, ...words.players);
    const board = [page.mode, page.period, page.key, page.scope].join();
    const rank = own?.rank;
    const { board: before, rank: was } = this.#announced;
    if (board !== before) this.announcer.announce(words.loaded(players));
    else if (rank && was && rank !== was) this.announcer.announce(words.announce(format.rank(rank), players));
    this.#announced = { board, rank };
  }
}
