// One row of a board.
import type { Entry } from "../../../sdk/js/src/index.ts";
import { fill, h, isPicture, say } from "./dom.ts";
import { flag, type Decimals, type Format } from "./format.ts";
import { hashOf, nameOf } from "./player.ts";
import { words } from "./words.ts";

export class Row {
  readonly element: HTMLTableRowElement;
  #entry!: Entry;
  #seen = "";
  readonly #rank = h("span");
  readonly #change = h("span", { class: "change" });
  readonly #picture = h("span", { class: "picture", "aria-hidden": "true" });
  readonly #name = h("bdi");
  readonly #flag = h("span", { class: "flag", role: "img" });
  readonly #you = h("span", { class: "you", part: "you" }, words.you);
  readonly #score = h("td", { class: "score" });

  constructor(
    private readonly format: Format,
    chosen: (entry: Entry) => void,
    private readonly pictures: boolean,
  ) {
    // The whole row takes a click; the button is for the keyboard.
    const button = h("button", { type: "button", part: "name", "aria-haspopup": "dialog" }, this.#name);
    this.element = h(
      "tr",
      { "data-testid": "row", onclick: () => chosen(this.#entry) },
      h("td", { class: "rank" }, this.#rank, this.#change),
      h("th", { scope: "row", class: "player" }, h("div", {}, this.#picture, button, this.#flag, this.#you)),
      this.#score,
    );
  }

  update(entry: Entry, isMe: boolean, change: number | null | undefined, decimals: Decimals): void {
    const seen = JSON.stringify([entry, isMe, change, decimals]);
    if (seen === this.#seen) return;
    this.#seen = seen;
    this.#entry = entry;
    const { format, element } = this;
    element.dataset.player = entry.player;
    element.dataset.rank = String(entry.rank);
    element.setAttribute("part", isMe ? "row own" : "row");
    element.classList.toggle("own", isMe);
    if (isMe) element.setAttribute("aria-current", "true");
    else element.removeAttribute("aria-current");
    say(this.#rank, format.count(entry.rank));
    this.#rank.className = entry.rank < 4 ? "medal m" + entry.rank : "";
    showChange(this.#change, change, format);
    say(this.#name, nameOf(entry));
    fill(this.#score, ...format.scores(entry, decimals).map(([, text], i) => (i ? h("small", {}, text) : text)));
    this.#you.hidden = !isMe;
    showFlag(this.#flag, entry.country, format);
    showPicture(this.#picture, this.pictures ? entry.picture : undefined, entry);
  }
}

/** showChange shows a change of rank, such as ▲ 3, with words for screen readers. */
export function showChange(element: HTMLElement, change: number | null | undefined, format: Format): void {
  if (change === null || change === undefined) return fill(element);
  const by = format.count(Math.abs(change));
  element.dataset.testid = "rank-change";
  element.dataset.way = change > 0 ? "up" : change < 0 ? "down" : "same";
  fill(
    element,
    h("span", { "aria-hidden": "true" }, change > 0 ? "▲" + by : change < 0 ? "▼" + by : "–"),
    h("span", { class: "unseen" }, " " + (change > 0 ? words.up(by) : change < 0 ? words.down(by) : words.same)),
  );
}

/** showFlag shows a country's flag, labelled with the country's name; it hides the element if there is no country. */
export function showFlag(element: HTMLElement, code: string | undefined, format: Format): void {
  element.hidden = !code;
  say(element, code ? flag(code) : "");
  if (code) {
    element.setAttribute("aria-label", format.country(code));
    element.title = format.country(code);
  }
}

/** showPicture shows a player's picture, or the first letter of the name on a colour of the player's own. */
export function showPicture(element: HTMLElement, address: string | undefined, who: { player: string; name?: string | undefined }): void {
  element.style.setProperty("--_h", String((hashOf(who.player) % 12) * 30));
  const letter = document.createTextNode([...nameOf(who)][0] ?? "");
  if (!isPicture(address)) return fill(element, letter);
  const image = h("img", { alt: "", width: 64, height: 64, loading: "lazy", decoding: "async", referrerpolicy: "no-referrer" });
  image.addEventListener("error", () => image.replaceWith(letter));
  image.src = address;
  fill(element, image);
}
