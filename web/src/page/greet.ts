// The language in which the page speaks.
import { localeOf } from "../parts/format.ts";
import { languageOf, translate } from "../parts/language.ts";
import type { Settings } from "./settings.ts";

/** greet loads the texts of the reader's language. A document without a language gets the first of the reader's that there is. */
export async function greet({ into }: Settings, folder: string): Promise<void> {
  const { documentElement: html } = document;
  if (!html.lang) {
    html.lang = navigator.languages.map(languageOf).find((language) => language) ?? "en";
    if (html.lang === "ar") html.dir ||= "rtl";
  }
  await translate(localeOf(into ?? html), folder).catch(() => {}); // then it speaks English
}
