// Titles of modes, badges and counters in the reader's language, where the game file has them.
import type { Game } from "../../../sdk/js/src/index.ts";

interface Titled {
  title: string;
  titles?: Record<string, string>;
}

/** titleIn is a title in a locale's language; in the same variant, such as pt-BR, if there are several. */
export function titleIn(locale: string, { title, titles = {} }: Titled): string {
  const language = locale.split("-")[0];
  return titles[locale] ?? titles[language!] ?? Object.entries(titles).find(([tag]) => tag.split("-")[0] === language)?.[1] ?? title;
}

/** localized is a game with the titles of a locale. */
export function localized(game: Game, locale: string): Game {
  const own = <T extends Titled>(one: T): T => ({ ...one, title: titleIn(locale, one) });
  const mode = (one: Game["modes"][number]) => {
    const { points } = one;
    const counters = points?.counters?.map((counter) => ({ ...counter, title: titleIn(locale, { ...counter, title: counter.title ?? "" }) }));
    return { ...own(one), ...(counters && { points: { ...points, counters } }) };
  };
  return { ...game, modes: game.modes.map(mode), ...(game.badges && { badges: game.badges.map(own) }) };
}
