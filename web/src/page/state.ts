// The page's state as its address has it, so that every state can be sent as a link, and back
// and forward work. These functions are pure.
import { isDate, type Period } from "../parts/periods.ts";

export const tabs = ["day", "last7", "last30", "week", "month", "alltime", "friends", "country", "group", "league", "xp", "duels"] as const;
export type TabName = (typeof tabs)[number];

export interface State {
  mode: string; // "" is the game's first
  tab: TabName;
  date: string | null; // a date of a past period; null: the current one
  period: Period; // of the boards of friends, countries and groups
  country: string;
  region: string; // a continent instead of a country, or ""
  group: string; // "": groups against each other, if the mode ranks them
  player: string; // the player with the open card
  invite: string; // the code of a friend's invite, to be accepted
  duel: string; // the invite of a challenge
}

// The tabs that have a choice of periods beside them.
const scoped: readonly TabName[] = ["friends", "country", "group"];

const periods: Period[] = ["day", "last7", "last30", "week", "month", "alltime"];

/** isGroup matches the ids of groups. Its dash is escaped, since it is a pattern attribute too. */
export const isGroup = /^[A-Za-z0-9_\-]{1,64}$/;

/** read reads a state from a query string, and ignores invalid parameters. */
export function read(query: string): State {
  const q = new URLSearchParams(query);
  const among = <T extends string>(values: readonly T[], name: string, otherwise: T) => {
    const value = q.get(name) as T;
    return values.includes(value) ? value : otherwise;
  };
  const matching = (name: string, pattern: RegExp) => {
    const value = q.get(name) ?? "";
    return pattern.test(value) ? value : "";
  };
  return {
    mode: matching("mode", /^[a-z][a-z0-9_]{0,39}$/),
    tab: among(tabs, "tab", "day"),
    date: isDate(q.get("date")) ? q.get("date") : null,
    period: among(periods, "period", "day"),
    country: matching("country", /^[A-Z]{2}$/),
    region: matching("region", /^[A-Z]{2}$/),
    group: matching("group", isGroup),
    player: matching("player", /^[A-Za-z0-9_.:@-]{1,128}$/),
    invite: matching("invite", /^[a-z2-7]{26}$/),
    duel: matching("duel", /^[A-Za-z0-9_.:@-]{1,128}$/),
  };
}

/** write returns the query string of a state, without the defaults. */
export function write(s: State): string {
  const q = new URLSearchParams();
  const add = (name: string, value: string | null, otherwise = "") => value && value !== otherwise && q.set(name, value);
  add("mode", s.mode);
  add("tab", s.tab, "day");
  if (isScoped(s)) add("period", s.period, "day");
  if (s.tab === "country") add(s.region ? "region" : "country", s.region || s.country);
  if (s.tab === "group") add("group", s.group);
  if (periodOf(s) !== "alltime") add("date", s.date);
  add("player", s.player);
  add("invite", s.invite);
  add("duel", s.duel);
  return q.toString();
}

/** isScoped reports whether the tab has a choice of periods beside it. */
export const isScoped = ({ tab }: State): boolean => scoped.includes(tab);

/** isModeless reports whether the tab is independent of the mode. */
export const isModeless = ({ tab }: State): boolean => tab === "xp" || tab === "duels" || tab === "league";

/** periodOf is the period of the board that a state shows. */
export function periodOf(s: State): Period {
  if (isScoped(s)) return s.period;
  return isModeless(s) ? "alltime" : (s.tab as Period);
}
