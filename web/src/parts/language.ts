// The language of the texts. English is in the scripts; any other is loaded when it is needed.
import { texts } from "./words.ts";

const languages = "en de es fr pt-BR ja ar".split(" ");
const english = { ...texts };

/** languageOf is the language of the texts for a locale; undefined: there are none. */
export const languageOf = (locale: string): string | undefined => languages.find((language) => language.slice(0, 2) === locale.split("-")[0]);

/** translate makes the texts those of a locale's language, from a folder relative to the script. */
export async function translate(locale: string, folder: string): Promise<void> {
  const language = languageOf(locale) ?? "en";
  if (language === texts.language) return;
  const script = folder + language + ".js";
  Object.assign(texts, language === "en" ? english : (await import(script)).default);
}
