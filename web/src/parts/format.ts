// Numbers, dates, flags and names of countries in the reader's language.
import { words } from "./words.ts";

interface Scored {
  score?: number | null;
  values?: Record<string, number> | undefined;
}

/** Forms are the plural forms of a text, by the categories of Intl.PluralRules; # is the number. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** Decimals is the number of decimals of a score, or of each value by name; undefined: not known. */
export type Decimals = number | Record<string, number> | undefined;

/** Scale says how a mode's scores are written and ordered. */
export interface Scale {
  decimals: Decimals;
  ascending: boolean;
}

export class Format {
  readonly #counts: Intl.NumberFormat;
  readonly #shares: Intl.NumberFormat;
  readonly #times: Intl.DateTimeFormat;
  readonly #plurals: Intl.PluralRules;
  #countries: Intl.DisplayNames | undefined;

  constructor(readonly locale: string) {
    this.#counts = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 });
    this.#shares = new Intl.NumberFormat(locale, { style: "percent", maximumSignificantDigits: 2 });
    this.#times = new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit", second: "2-digit" });
    this.#plurals = new Intl.PluralRules(words.language);
  }

  count(n: number): string {
    return this.#counts.format(n);
  }

  /**
   * scores returns name and text of each value of a score, or of the score itself with the name "". Where the number
   * of decimals is known, all are written, so that numbers line up below each other.
   */
  scores({ score, values }: Scored, decimals?: Decimals): [string, string][] {
    return Object.entries(values ?? { "": score! }).map(([name, n]) => {
      const places = typeof decimals === "object" ? decimals[name] : decimals;
      return [name.replaceAll("_", " "), n.toLocaleString(this.locale, { minimumFractionDigits: places ?? 0, maximumFractionDigits: places || 6 })];
    });
  }

  percent(n: number): string {
    return this.#shares.format(n / 100);
  }

  time(at: Date | number): string {
    return this.#times.format(at);
  }

  /** plural writes a count in the form that the language of the texts has for it. */
  plural(n: number, forms: Forms): string {
    return (forms[this.#plurals.select(n)] ?? forms.other).replace("#", this.count(n));
  }

  country(code: string): string {
    try {
      this.#countries ??= new Intl.DisplayNames(this.locale, { type: "region" });
      return this.#countries.of(code) ?? code;
    } catch {
      return code;
    }
  }

  /** date formats a calendar date. It reads and writes the date in UTC, so the reader's time zone does not shift it. */
  date(date: string, options: Intl.DateTimeFormatOptions): string {
    return new Intl.DateTimeFormat(this.locale, { ...options, timeZone: "UTC" }).format(new Date(date));
  }
}

/** flag is the emoji of a country: its two letters, each as a regional indicator. */
export function flag(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? code.replace(/./g, (c) => String.fromCodePoint(0x1f1a5 + c.charCodeAt(0))) : "";
}

/**
 * localeOf is the language of the closest lang attribute around an element, or else the browser's; in the variant that
 * the reader's browser prefers, such as en-GB for en.
 */
export function localeOf(element: Element): string {
  const around = element.closest("[lang]")?.getAttribute("lang") || navigator.language;
  const own = navigator.languages.find((l) => l.split("-")[0] === around.split("-")[0]);
  try {
    return Intl.getCanonicalLocales(own ?? around)[0] ?? "en";
  } catch {
    return "en";
  }
}
