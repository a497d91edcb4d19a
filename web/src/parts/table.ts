// The table of a board. Rows are kept and moved, not made again, so that the focus and the
// position of a screen reader stay.
import type { Entry } from "../../../sdk/js/src/index.ts";
import { Pinned } from "./pinned.ts";
import { Row } from "./row.ts";
import type { Decimals, Format } from "./format.ts";
import { h, say } from "./dom.ts";
import { words } from "./words.ts";
import type { Own } from "./board.ts";

export interface Rows {
  caption: string;
  entries: Entry[] | null; // null: not known yet
  own: Own | null;
  me: string | null;
  decimals?: Decimals;
  reserved: number; // number of rows for which space is kept until they arrive
}

export class Table {
  readonly element: HTMLTableElement;
  readonly #caption = h("caption", { class: "unseen" });
  readonly #score = head("score", words.score);
  readonly #body = h("tbody");
  readonly #pinned: Pinned;
  readonly #rows = new Map<string, Row>();

  constructor(
    private readonly format: Format,
    private readonly chosen: (entry: Entry) => void,
    private readonly pictures: boolean,
  ) {
    this.#pinned = new Pinned(format, chosen, pictures);
    this.element = h(
      "table",
      { "data-testid": "board", part: "table" },
      this.#caption,
      h("thead", { part: "head" }, h("tr", {}, head("rank", words.rank), head("player", words.player), this.#score)),
      this.#body,
      this.#pinned.element,
    );
  }

  update({ caption, entries, own, me, decimals, reserved }: Rows): void {
    say(this.#caption, caption);
    say(this.#score, Object.keys(entries?.[0]?.values ?? decimals ?? {}).join(" · ").replaceAll("_", " ") || words.score);
    this.element.setAttribute("aria-busy", String(!entries));
    if (!entries) {
      this.#rows.clear();
      this.#body.replaceChildren(...Array.from({ length: reserved }, skeleton));
      this.#pinned.update(null, null, decimals);
      return;
    }
    if (this.#body.querySelector(".skeleton")) this.#body.replaceChildren();
    this.#place(entries, me, own, decimals);
    const real = me === null ? undefined : this.#rows.get(me);
    this.#pinned.update(own, real?.element ?? null, decimals);
  }

  /** firstInSight is the index of the first row that is not scrolled out of the window. */
  firstInSight(): number {
    const [first] = this.#body.rows;
    if (!first) return 0;
    const height = first.offsetHeight || 1;
    return Math.max(0, Math.floor(-this.#body.getBoundingClientRect().top / height));
  }

  #place(entries: Entry[], me: string | null, own: Own | null, decimals: Decimals): void {
    const root = this.element.getRootNode() as Document | ShadowRoot;
    const focused = root.activeElement as HTMLElement | null;
    const left = new Set(this.#rows.keys());
    let next = this.#body.firstElementChild;
    for (const entry of entries) {
      let row = this.#rows.get(entry.player);
      if (!row) this.#rows.set(entry.player, (row = new Row(this.format, this.chosen, this.pictures)));
      left.delete(entry.player);
      const isMe = entry.player === me || !!entry.me;
      row.update(entry, isMe, isMe ? own?.change : undefined, decimals);
      if (row.element === next) next = next.nextElementSibling;
      else this.#body.insertBefore(row.element, next);
    }
    for (const player of left) {
      this.#rows.get(player)!.element.remove();
      this.#rows.delete(player);
    }
    if (focused && focused !== root.activeElement && focused.isConnected) focused.focus({ preventScroll: true });
  }
}

const head = (name: string, text: string) => h("th", { scope: "col", class: name }, text);

const skeleton = () =>
  h("tr", { class: "skeleton", "aria-hidden": "true" }, ...["rank", "player", "score"].map((name) => h("td", { class: name }, h("i"))));
