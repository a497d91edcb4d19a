// The base of both elements: a shadow root with the style of the parts, and a client that is
// made from attributes and properties, and again when they change.
import { createClient, type Client } from "../../../sdk/js/src/client.ts";
import { stream } from "../../../sdk/js/src/stream.ts";
import { Format, localeOf } from "../parts/format.ts";
import { playerOf } from "../parts/player.ts";
import { colours, parts, sheet } from "../parts/styles.ts";

export type GetToken = (asked: { fresh: boolean }) => string | null | undefined | Promise<string | null | undefined>;

let look: CSSStyleSheet | undefined;

const host = `:host { display: block; ${colours} background: var(--_bg); color: var(--_fg); font: var(--lb-font, inherit); }
:host([hidden]) { display: none; }`;

export abstract class BoardElement extends HTMLElement {
  protected readonly root = this.attachShadow({ mode: "open" });
  #token: GetToken | undefined;
  #planned = false;
  #end: (() => void) | undefined;

  constructor() {
    super();
    this.root.adoptedStyleSheets = [(look ??= sheet(host + parts))];
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
  protected abstract build(client: Client, format: Format): () => void;

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
    queueMicrotask(() => {
      this.#planned = false;
      if (!this.isConnected) return;
      this.#end?.();
      this.root.replaceChildren();
      const client = createClient({ baseUrl: this.attribute("api"), getToken: (asked) => this.#token?.(asked), stream });
      this.#end = this.build(client, new Format(localeOf(this)));
    });
  }
}
