// A board on the screen: the line above it, messages, the table, the button for more rows,
// the card. The page and the widget use it.
import type { Boards } from "../widget/boards.ts";
import type { Entry } from "../../../sdk/js/src/index.ts";
import { Announcer } from "./announcer.ts";
import { Board, type BoardOptions, type Query } from "./board.ts";
import { h, show } from "./dom.ts";
import type { Decimals, Format } from "./format.ts";
import { Messages } from "./messages.ts";
import { Summary } from "./summary.ts";
import { Table, type TableOptions } from "./table.ts";
import { words } from "./words.ts";

export interface PanelOptions extends Omit<BoardOptions, "client" | "changed" | "firstInSight">, Pick<TableOptions, "pictures">, Partial<TableOptions> {
  client: Boards;
  format: Format;
  pictures: boolean;
  /** Returns the table's caption, for screen readers. */
  caption: (query: Query) => string;
  decimals?: ((query: Query) => Decimals) | undefined;
  signedOut?: (() => string | undefined) | undefined; // the text instead of the rank
  degraded?: (() => boolean) | undefined;
  /** Shows the card of the row that was chosen. */
  chosen: (entry: Entry) => void;
  shown?: ((panel: Panel) => void) | undefined;
  /** What is shown above the board in place of the summary. */
  head?: Pick<Summary, "element" | "update"> | undefined;
  /** What is shown in place of the rows of an empty board, besides its note. */
  empty?: ((isEmpty: boolean) => HTMLElement) | undefined;
}

export class Panel {
  readonly element = h("div", { class: "panel" });
  readonly board: Board;
  readonly table: Table;
  readonly announcer = new Announcer();
  readonly #place = h("div");
  readonly #summary: Pick<Summary, "element" | "update">;
  readonly #messages: Messages;
  readonly #more = h("button", { type: "button", "data-testid": "more", part: "more", class: "more", hidden: true, onclick: () => void this.board.more() }, words.more);
  #announced: { board?: string; rank?: number | null | undefined } = {};

  constructor(private readonly o: PanelOptions) {
    this.board = new Board({ ...o, changed: () => this.update(), firstInSight: () => this.table.firstInSight() });
    this.#summary = o.head ?? new Summary(o.format);
    this.#messages = new Messages(o.format, () => this.board.retry());
    this.table = new Table({ podium: false, below: 0, ...o, chosen: (entry) => this.board.query && o.chosen(entry) });
    this.#place.append(this.table.element);
    this.element.append(this.#summary.element, this.#messages.error, this.#place, this.#more, this.announcer.element);
    for (const kind of ["online", "offline"]) addEventListener(kind, this.update);
  }

  /** findMe shows the player's own place: it requests the neighbours, and scrolls there. */
  async findMe(): Promise<void> {
    await this.board.surround(10);
    this.table.pinned.reveal();
  }

  close(): void {
    this.board.close();
    for (const kind of ["online", "offline"]) removeEventListener(kind, this.update);
  }

  /** update shows the board's state. Call it also when anything else that the panel shows has changed. */
  readonly update = (): void => {
    const { board, o } = this;
    const { query, page, own, me, error } = board;
    if (!query) return;
    this.#summary.update(board, me === null ? o.signedOut?.() : undefined);
    this.#messages.update(board, o.degraded?.() ?? false);
    // If the board has no rows, the note takes their place, so that the table does not move.
    const { note } = this.#messages;
    const isEmpty = !!page && !page.entries.length;
    const picture = o.empty?.(isEmpty);
    if (picture && picture.parentElement !== this.#place) this.#place.append(picture);
    if (isEmpty && picture?.firstChild) (picture.firstChild as Element).after(note); // what one can do comes after it
    else if (!page?.entries.length) this.#place.append(note);
    else if (note.parentElement !== this.element) this.#place.before(note);
    const entries = page?.entries ?? (error ? [] : null);
    const reserved = Math.min(query.limit, 10);
    // The place of the rows keeps its height as they come in, so that nothing below moves.
    if (!entries || entries.length < reserved) this.#place.style.minBlockSize = "";
    else if (this.table.element.ariaBusy === "true") this.#place.style.minBlockSize = this.#place.offsetHeight + "px";
    this.table.update({ caption: o.caption(query), entries, own, me, decimals: o.decimals?.(query), reserved, around: own?.around ?? [] });
    show(this.#more, !!page?.next_cursor);
    this.#more.disabled = board.loading;
    this.#announce();
    o.shown?.(this);
  };

  // #announce announces a board when it is first shown, and later each change of the player's rank.
  #announce(): void {
    const { page, own } = this.board;
    if (!page) return;
    const { format } = this.o;
    const board = [page.mode, page.period, page.key, page.scope].join();
    const rank = own?.rank;
    const { board: before, rank: was } = this.#announced;
    if (board !== before) this.announcer.announce(words.loaded(format.plural(page.total, words.players)));
    else if (rank && was && rank !== was) this.announcer.announce(words.announce(format.count(rank), format.count(page.total)));
    this.#announced = { board, rank };
  }
}
