// The base of both elements: a shadow root with the style of the parts, and a client that is
// made from attributes and properties, and again when they change.
import { boards, type Boards } from "./boards.ts";
import type { ClientOptions } from "../../../sdk/js/src/transport.ts";
import { Format, localeOf } from "../parts/format.ts";
import { translate } from "../parts/language.ts";
import { playerOf } from "../parts/player.ts";
import { parts, sheet } from "../parts/styles.ts";
import tokens from "../parts/tokens.css";
import { host } from "./host.style.ts";

export type GetToken = (asked: { fresh: boolean }) => string | null | undefined | Promise<string | null | undefined>;

let look: CSSStyleSheet | undefined;

export abstract class BoardElement extends HTMLElement {
  protected readonly root = this.attachShadow({ mode: "open" });
  #token: GetToken | undefined;
  #planned = false;
  #end: (() => void) | undefined;

  constructor() {
    super();
    this.root.adoptedStyleSheets = [(look ??= sheet(tokens + host + parts))];
  }

  /** getToken returns the player's session token; null if the player is signed out. */
  get getToken(): GetToken | undefined {
    return this.#token;
  }

  set getToken(getToken: GetToken | undefined) {
    this.#token = getToken;
    this.#plan();
  }

  connectedCallback(): void {
    // Take over a property that was set before the element was defined.
    if (Object.hasOwn(this, "getToken")) {
      const given = (this as { getToken?: GetToken | undefined }).getToken;
      delete (this as { getToken?: GetToken | undefined }).getToken;
      this.#token = given;
    }
    this.#plan();
  }

  disconnectedCallback(): void {
    this.#end?.();
    this.#end = undefined;
  }

  attributeChangedCallback(): void {
    this.#plan();
  }

  /** build fills the shadow root, and returns the function that ends what it has begun. */
  protected abstract build(client: Boards, format: Format, options: ClientOptions): () => void;

  protected attribute(name: string, otherwise = ""): string {
    return this.getAttribute(name) || otherwise;
  }

  /** tell dispatches an event to the web page. It returns false if a listener has prevented the default. */
  protected tell(name: string, detail: unknown): boolean {
    return this.dispatchEvent(new CustomEvent("framedle:" + name, { detail, bubbles: true, composed: true, cancelable: true }));
  }

  protected who = async (): Promise<string | null> => playerOf(await this.#token?.({ fresh: false }));

  // #plan builds the element in a microtask, so attributes that are set together lead to one
  // request.
  #plan(): void {
    if (this.#planned) return;
    this.#planned = true;
    queueMicrotask(async () => {
      const locale = localeOf(this);
      await translate(locale, "./locales/board/").catch(() => {}); // the texts are those of before
      this.#planned = false;
      if (!this.isConnected) return;
      this.#end?.();
      this.root.replaceChildren();
      const options = { baseUrl: this.attribute("api"), getToken: (asked: { fresh: boolean }) => this.#token?.(asked) };
      this.#end = this.build(boards(options), new Format(locale), options);
    });
  }
}
