// What the page that embeds this one, or config.js beside it, may say.

export interface Settings {
  /** Where the API is, without /v1; empty for the page's own origin. */
  api?: string;
  /** Answers the player's session token, null for who is signed out. */
  getToken?: (asked: { fresh: boolean }) => string | null | undefined | Promise<string | null | undefined>;
  /** Signs the player in, where the page shall offer it. */
  signIn?: () => void | Promise<void>;
  /** Signs the player out, where the page shall offer it. */
  signOut?: () => void | Promise<void>;
  /** Where the page is put; the element with the id main without. */
  into?: HTMLElement;
  /** The local product: anybody is whom they say they are, and scores can be sent. */
  local?: boolean;
  /** false: no pictures of players. */
  pictures?: boolean;
}

declare global {
  interface Window {
    framedle?: Settings;
  }
}
