// Days, ISO weeks and months, named by their first date. These functions are pure.
import type { Format } from "./format.ts";

export type Period = "day" | "week" | "month" | "season" | "alltime" | "last7" | "last30";

const day = 86_400_000; // ms

const parse = (date: string) => new Date(date);
const spell = (at: Date) => at.toISOString().slice(0, 10);

/** isDate reports whether a text is an existing date, such as 2026-11-21. */
export function isDate(text: string | null | undefined): text is string {
  return !!text && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(parse(text).getTime()) && spell(parse(text)) === text;
}

/** begins is the first date of the period with a date in it. */
export function begins(period: Period, date: string): string {
  const at = parse(date);
  if (period === "week") return spell(new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * day)); // Monday
  if (period === "month") return date.slice(0, 8) + "01";
  return date;
}

/** shift is the first date of the period that is `by` periods later. */
export function shift(period: Period, date: string, by: number): string {
  const at = parse(begins(period, date));
  if (period === "month") return spell(new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + by, 1)));
  return spell(new Date(at.getTime() + by * (period === "week" ? 7 : 1) * day));
}

/** dateOf is the first date of the period with a key (2026-11-21, 2026-W47, 2026-11); null if the key is invalid. */
export function dateOf(period: Period, key: string): string | null {
  if (period === "day") return isDate(key) ? key : null;
  if (period === "month") return isDate(key + "-01") ? key + "-01" : null;
  const week = /^(\d{4})-W(\d\d)$/.exec(key);
  if (period !== "week" || !week) return null;
  // The first ISO week of a year is the week with January 4th.
  return shift("week", `${week[1]}-01-04`, Number(week[2]) - 1);
}

/** title names the period with a date in it, for people. A day or week of the year of `now` is named without the year. */
export function title(period: Period, date: string, format: Format, now = ""): string {
  const year = date.slice(0, 4) === now.slice(0, 4) ? undefined : "numeric";
  if (period === "day") return format.date(date, { weekday: "short", day: "numeric", month: "short", year });
  if (period === "month") return format.date(begins("month", date), { month: "long", year: "numeric" });
  const first = begins("week", date);
  // What both dates share is said once: 16–22 Nov 2026.
  return new Intl.DateTimeFormat(format.locale, { day: "numeric", month: "short", year, timeZone: "UTC" }).formatRange(parse(first), parse(shift("day", first, 6)));
}
