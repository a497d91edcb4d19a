// Lists of people, and what can be done with each.
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

/** Act is a button: what it says, and what it does. */
export type Act = [text: string, act: () => Promise<unknown>];

/** buttons run one act at a time, and say in `said` what went wrong. */
export function buttons(acts: Act[], said: HTMLElement): Node[] {
  return acts.map(([text, act]) => {
    const button = h("button", { type: "button", onclick: () => void attempt(act, said, button) }, text);
    return button;
  });
}

/** attempt runs an act, and reports whether it could. */
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

/** people is a headed list; nothing where there is nobody. */
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
