// How figures are written: in one form, whatever the operator's language.
import { LeaderboardsError } from "../../../sdk/js/src/errors.ts";
import { h } from "../parts/dom.ts";

const language = "en-GB";
const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
const fraction = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const share = new Intl.NumberFormat(language, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });
const money = new Intl.NumberFormat(language, { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" });
const day = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", timeZone: "UTC" });

export const count = (n: number) => whole.format(n);
export const decimals = (n: number) => fraction.format(n);
export const percent = (part: number) => share.format(part);
export const dollars = (n: number) => money.format(n);

/** short is a date without its year. */
export const short = (date: string) => day.format(new Date(date));

/** plural is a number with its noun. */
export const plural = (n: number, one: string) => `${count(n)} ${n === 1 ? one : one + "s"}`;

/** figure is a number for people, with the exact number in its value attribute. */
export function figure(n: number, write = count, attributes: Record<string, string> = {}): HTMLElement {
  return h("data", { value: n, ...attributes }, write(n));
}

/** moment is a time in UTC, as all days on this page are. */
export function moment(time: string | null | undefined): HTMLElement | string {
  if (!time) return "never";
  return h("time", { datetime: time }, time.slice(0, 16).replace("T", " ") + " UTC");
}

/** age writes a span of seconds in its largest unit. */
export function age(seconds: number): string {
  for (const [unit, of] of [["day", 86400], ["hour", 3600], ["minute", 60]] as const) {
    const n = Math.floor(seconds / of);
    if (n >= 1) return `${n} ${unit}${n === 1 ? "" : "s"}`;
  }
  return "less than a minute";
}

/** problem describes a failure in a sentence. */
export function problem(error: unknown): string {
  if (!(error instanceof LeaderboardsError)) return error instanceof Error ? error.message : String(error);
  const wait = error.retryAfter ? ` Try again in ${Math.ceil(error.retryAfter)} s.` : "";
  const fields = error.errors.map((e) => ` ${e.pointer}: ${e.detail}.`).join("");
  if (error.status === 0) return "The API is not responding. Check the connection, then refresh.";
  const detail = error.detail.startsWith(error.title) ? error.detail : `${error.title}: ${error.detail}`; // the same is not said twice
  return `${detail}.${fields}${wait}`;
}
