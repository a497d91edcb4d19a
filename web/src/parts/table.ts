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
  around: Entry[]; // the player's neighbours, if the entries lack the player
}

export interface TableOptions {
  format: Format;
  pictures: boolean;
  podium: boolean; // the first three stand on a podium
  below: number; // pixels that are covered at the bottom of the window
  chosen: (entry: Entry) => void;
  find?: (() => void) | undefined; // called when the player wants to see their own place
}

export class Table {
  readonly element: HTMLTableElement;
  readonly pinned: Pinned;
  readonly #caption = h("caption", { class: "unseen" });
  readonly #score = head("score", words.score);
  readonly #body = h("tbody");
  readonly #rows = new Map<string, Row>();

  constructor(private readonly o: TableOptions) {
    this.pinned = new Pinned(o.format, o.chosen, o.pictures, o.below, o.find);
    this.element = h(
      "table",
      { "data-testid": "board", part: "table" },
      this.#caption,
      h("thead", { part: "head" }, h("tr", {}, head("rank", words.rank), head("player", words.player), this.#score)),
      this.#body,
      this.pinned.element,
    );
  }

  update({ caption, entries, own, me, decimals, reserved, around }: Rows): void {
    say(this.#caption, caption);
    say(this.#score, Object.keys(entries?.[0]?.values ?? decimals ?? {}).join(" · ").replaceAll("_", " ") || words.score);
    this.element.setAttribute("aria-busy", String(!entries));
    this.element.classList.toggle("podium", this.o.podium && (!entries || entries.length > 2));
    if (!entries) {
      this.#rows.clear();
      this.#body.replaceChildren(...Array.from({ length: reserved }, skeleton));
      this.pinned.update(null, null, decimals, []);
      return;
    }
    if (this.#body.querySelector(".skeleton")) this.#body.replaceChildren();
    this.#place(entries, me, own, decimals);
    const real = me === null ? undefined : this.#rows.get(me);
    this.pinned.update(own, real?.element ?? null, decimals, around);
  }

  /** firstInSight is the index of the first row that is not scrolled out of the window. */
  firstInSight(): number {
    const first = this.#body.lastElementChild as HTMLElement | null;
    if (!first) return 0;
    const height = first.offsetHeight || 1;
    return Math.max(0, Math.floor(-this.#body.getBoundingClientRect().top / height));
  }

  #place(entries: Entry[], me: string | null, own: Own | null, decimals: Decimals): void {
    const root = this.element.getRootNode() as Document | ShadowRoot;
    const focused = root.activeElement as HTMLElement | null;
    const left = new Set(this.#rows.keys());
    const moves = this.#rows.size > 0 && matchMedia("(prefers-reduced-motion: no-preference)").matches;
    const was = new Map(moves ? [...this.#rows].map(([player, { element }]) => [player, [element.offsetLeft, element.offsetTop] as const]) : []);
    let next = this.#body.firstElementChild;
    for (const entry of entries) {
      let row = this.#rows.get(entry.player);
      if (!row) this.#rows.set(entry.player, (row = new Row(this.o.format, this.o.chosen, this.o.pictures)));
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
    // Rows glide to their new places; new ones fade in.
    if (moves && left.size < this.#rows.size) for (const [player, { element }] of this.#rows) {
      const from = was.get(player);
      const x = from ? from[0] - element.offsetLeft : 0, y = from ? from[1] - element.offsetTop : 0;
      if (!from) element.animate({ opacity: [0, 1] }, 250);
      else if ((x || y) && Math.abs(y) < 900) element.animate({ transform: [`translate(${x}px, ${y}px)`, "none"] }, { duration: 300, easing: "cubic-bezier(.2,.8,.2,1)" });
    }
    if (focused && focused !== root.activeElement && focused.isConnected) focused.focus({ preventScroll: true });
  }
}

const head = (name: string, text: string) => h("th", { scope: "col", class: name }, text);

const skeleton = () =>
  h("tr", { class: "skeleton", "aria-hidden": "true" }, ...["rank", "player", "score"].map((name) => h("td", { class: name }, h("i"))));
