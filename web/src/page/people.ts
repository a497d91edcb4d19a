// Lists of people, and buttons for what one can do with each.
import { fill, h } from "../parts/dom.ts";
import { nameOf } from "../parts/player.ts";
import { showFlag, showPicture } from "../parts/row.ts";
import type { Format } from "../parts/format.ts";
import { toast } from "./toast.ts";
import { reasonOf, words } from "./words.ts";

export interface Person {
  player: string;
  name?: string | undefined;
  picture?: string | undefined;
  country?: string | undefined;
}

/** Act is a button: its text, and the function that a click runs. That may return a text to show. */
export type Act = [text: string, act: () => Promise<unknown>];

/** button makes a button for an act. It runs once at a time, and a toast has its result or failure. */
export function button([text, act]: Act, kind = ""): HTMLButtonElement {
  const made = h("button", { type: "button", class: kind || null, onclick: () => void attempt(act, made) }, text);
  return made;
}

/** attempt runs an act, shows its text or failure, and reports whether it succeeded. */
export async function attempt(act: () => Promise<unknown>, button?: HTMLButtonElement): Promise<boolean> {
  if (button?.disabled) return false;
  if (button) button.disabled = true;
  try {
    const text = await act();
    if (typeof text === "string") toast(text);
    return true;
  } catch (error) {
    toast(reasonOf(error));
    return false;
  } finally {
    if (button) button.disabled = false;
  }
}

/** menu is a button with three dots that opens a list of acts; false if there are none. */
export function menu(acts: Act[], upwards = false): Node | false {
  if (!acts.length) return false;
  const element: HTMLDetailsElement = h(
    "details",
    { class: upwards ? "menu up" : "menu", onkeydown: (event: KeyboardEvent) => event.key === "Escape" && element.open && (event.preventDefault(), event.stopPropagation(), (element.open = false), element.querySelector("summary")!.focus()) },
    h("summary", { "aria-label": words.moreActs, "data-testid": "menu" }, "⋯"),
    h("div", { onclick: () => (element.open = false) }, ...acts.map((act) => button(act))),
  );
  element.addEventListener("toggle", () => {
    const away = (event: Event) => {
      if (event.composedPath().includes(element)) return;
      element.open = false;
      removeEventListener("pointerdown", away);
    };
    if (element.open) addEventListener("pointerdown", away);
  });
  return element;
}

/** face is a person's picture, or letter. */
export function face(person: Person): HTMLElement {
  const element = h("span", { class: "picture", "aria-hidden": "true" });
  showPicture(element, person.picture, person);
  return element;
}

/** row is a person in a list: picture, name, flag, a line below, and what one can do. */
export function row(person: Person, line: string, format: Format, attributes: Record<string, string | null>, ...beside: (Node | false)[]): HTMLElement {
  const flag = h("span", { class: "flag", role: "img" });
  showFlag(flag, person.country, format);
  flag.style.display = person.country ? "inline" : "";
  return h(
    "li",
    { "data-player": person.player, ...attributes },
    face(person),
    h("div", { class: "who" }, h("strong", { dir: "auto" }, nameOf(person), " ", flag), !!line && h("small", {}, line)),
    ...beside,
  );
}

/** list is a list of rows under a heading; false if it is empty. */
export function list(title: string, name: string, rows: HTMLElement[]): Node | false {
  return rows.length > 0 && h("section", { "data-testid": "list-" + name }, h("h3", {}, title), h("ul", { class: "people" }, ...rows));
}

/** keepFocus redraws with the focus where it was, if what had it is still there. */
export function redraw(element: HTMLElement, ...children: (Node | false)[]): void {
  const had = element.contains(document.activeElement);
  fill(element, ...children);
  if (had) element.focus({ preventScroll: true });
}
