// The settings that the embedding page, or config.js beside this page, may give.

export interface Settings {
  /** The API's address without /v1; empty for the page's own origin. */
  api?: string;
  /** Returns the player's session token; null if the player is signed out. With `fresh` it has to be a new one. */
  getToken?: (asked: { fresh: boolean }) => string | null | undefined | Promise<string | null | undefined>;
  /** Signs the player in. Without it the page does not offer to. */
  signIn?: () => void | Promise<void>;
  /** Signs the player out. Without it the page does not offer to. */
  signOut?: () => void | Promise<void>;
  /** The element that the page fills; by default the one with the id main. */
  into?: HTMLElement;
  /** true: this is the local product, where anybody signs in with any name and can send scores. */
  local?: boolean;
  /** false: players' pictures are not shown. */
  pictures?: boolean;
}

declare global {
  interface Window {
    framedle?: Settings;
  }
}
