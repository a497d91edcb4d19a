// The types of the elements that leaderboards.js of a deployment defines. Nothing here runs: with
// `import "@framedle/leaderboards/elements"` the compiler knows both elements and their events.
import type { LeaderboardsError } from "./errors.ts";
import type { ClientOptions } from "./transport.ts";
import type { Card, Entry, Page, Result } from "./types.ts";

/** `<framedle-rank>`: the player's standing in one line. */
export interface RankElement extends HTMLElement {
  /** Returns the player's token, null if nobody is signed in. */
  getToken: ClientOptions["getToken"] | undefined;
  /** Requests the standing now. */
  reload(): void;
}

/** `<framedle-leaderboard>`: a board. */
export interface LeaderboardElement extends RankElement {
  /** Shows the result of a submission, without a request. */
  played(answer: Result): void;
}

/** The attributes of `<framedle-rank>`. */
export interface RankAttributes {
  /** Where the API is, without `/v1`; without it the page's own origin. */
  api?: string;
  mode: string;
  period?: "day" | "week" | "month" | "season" | "alltime" | "last7" | "last30";
  /** Any date of the period. */
  date?: string;
  /** `global`, `country:BR`, `region:SA`, `group:<id>`, `groups` or `friends`. */
  scope?: string;
  lang?: string;
}

/** The attributes of `<framedle-leaderboard>`. */
export interface LeaderboardAttributes extends RankAttributes {
  limit?: number | string;
  live?: boolean | "";
  refresh?: number | string;
  pictures?: "none";
  heading?: string;
  podium?: boolean | "";
  compact?: boolean | "";
  /** The table's name for screen readers. */
  label?: string;
}

/** The elements by their tags. */
export interface Elements {
  "framedle-leaderboard": LeaderboardElement;
  "framedle-rank": RankElement;
}

/** The attributes of the elements by their tags, for a framework's types of tags. */
export interface ElementAttributes {
  "framedle-leaderboard": LeaderboardAttributes;
  "framedle-rank": RankAttributes;
}

/** The events of the elements; they bubble. Preventing `framedle:player` keeps the card from opening. */
export interface ElementEvents {
  "framedle:board": CustomEvent<Page>;
  "framedle:player": CustomEvent<Entry>;
  "framedle:rank": CustomEvent<Card>;
  "framedle:error": CustomEvent<LeaderboardsError>;
}

declare global {
  interface HTMLElementTagNameMap extends Elements {}
  interface HTMLElementEventMap extends ElementEvents {}
}
