// Lists of people, with buttons for each person.
import type { LeaderboardsError } from "../../../sdk/js/src/index.ts";
import { h, say } from "../parts/dom.ts";
import type { Format } from "../parts/format.ts";
import { nameOf } from "../parts/player.ts";
import { showFlag } from "../parts/row.ts";

export interface Person {
  player: string;
  name?: string | undefined;
  country?: string | undefined;
}

/** Act is a button: its text, and the function that a click runs. That may return a text to show.
 * An act that cannot be undone has a question, which is asked before it is done. */
export type Act = [text: string, act: () => Promise<unknown>, question?: string];

/** buttons makes a button for each act. A button runs once at a time, and shows the result or failure in `said`. */
export function buttons(acts: Act[], said: HTMLElement): Node[] {
  return acts.map(([text, act, question]) => {
    const button = h("button", { type: "button", onclick: async () => {
      if (!question || (await sure(said, question, text))) void attempt(act, said, button);
    } }, text);
    return button;
  });
}

// A double click's second half, wherever the dialog puts its buttons, is no answer.
const hasty = 600; // milliseconds

/** sure asks a question beside `said`, and reports whether the answer is yes. The other answer has
 * the focus, so a hasty Enter does nothing. */
function sure(said: HTMLElement, question: string, yes: string): Promise<boolean> {
  const keep = h("button", { type: "button", autofocus: true, "data-testid": "sure-no" }, "Cancel");
  const go = h("button", { type: "button", "data-testid": "sure-yes" }, yes);
  const dialog = h("dialog", { "aria-label": question, "data-testid": "sure" }, h("p", {}, question), h("p", { class: "row" }, keep, go));
  said.after(dialog);
  return new Promise((answer) => {
    let isSure = false;
    const asked = performance.now();
    go.addEventListener("click", () => {
      if (performance.now() - asked < hasty) return;
      isSure = true;
      dialog.close();
    });
    keep.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      answer(isSure);
    });
    dialog.showModal();
  });
}

/** attempt runs an act, shows its text or failure in `said`, and reports whether it succeeded. */
export async function attempt(act: () => Promise<unknown>, said: HTMLElement, button?: HTMLButtonElement): Promise<boolean> {
  if (button?.disabled) return false;
  if (button) button.disabled = true;
  say(said, "");
  try {
    const text = await act();
    if (typeof text === "string") say(said, text);
    return true;
  } catch (error) {
    say(said, (error as LeaderboardsError).detail || "That did not work.");
    return false;
  } finally {
    if (button) button.disabled = false;
  }
}

/** people makes a list with a heading; false if the list is empty. */
export function people(title: string, list: Person[], format: Format, acts: (person: Person) => Act[], said: HTMLElement): Node | false {
  if (!list.length) return false;
  return h(
    "section",
    { "data-testid": "list-" + title.toLowerCase().replaceAll(" ", "-") },
    h("h3", {}, title),
    h("ul", {}, ...list.map((person) => {
      const flag = h("span", { class: "flag", role: "img" });
      showFlag(flag, person.country, format);
      return h("li", { "data-player": person.player }, h("span", { class: "name" }, h("bdi", {}, nameOf(person)), " ", flag), ...buttons(acts(person), said));
    })),
  );
}
