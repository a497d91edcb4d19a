import type { LeaderboardsError } from "./errors.ts";
import type { RankElement } from "./elements.ts";
import type { ClientOptions } from "./transport.ts";
import type { Card, Entry, Page } from "./types.ts";
/** What a wrapper sets on an element, beside its attributes. */
export interface Connection {
    /** Returns the player's token, null if nobody is signed in. A new function does not load the board again. */
    getToken?: ClientOptions["getToken"] | undefined;
    /** The board was shown or has changed. */
    onBoard?: ((page: Page) => void) | undefined;
    /** A player was chosen; `event.preventDefault()` keeps the card from opening. */
    onPlayer?: ((entry: Entry, event: Event) => void) | undefined;
    /** The standing was shown. */
    onRank?: ((card: Card) => void) | undefined;
    /** A request failed. */
    onError?: ((error: LeaderboardsError) => void) | undefined;
}
/** connect connects an element to what `current` returns at the time, and returns the function that ends that. */
export declare function connect(element: RankElement, current: () => Connection): () => void;
/** attributesOf writes attributes as HTML has them: what is true is there, what is false is not. */
export declare function attributesOf(given: object): Record<string, unknown>;
