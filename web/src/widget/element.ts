// What both elements are: a shadow root with the parts' look, a client made of
// attributes and properties, made anew when those change.
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

  /** getToken answers the player's session token, null for who is signed out. */
  get getToken(): GetToken | undefined {
    return this.#token;
  }

  set getToken(getToken: GetToken | undefined) {
    this.#token = getToken;
    this.#plan();
  }

  connectedCallback(): void {
    // Properties that were set before the element was defined.
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

  /** build fills the shadow root, and gives back what ends it. */
  protected abstract build(client: Client, format: Format): () => void;

  protected attribute(name: string, otherwise = ""): string {
    return this.getAttribute(name) || otherwise;
  }

  /** tell dispatches an event that pages can listen for, and reports whether its default may happen. */
  protected tell(name: string, detail: unknown): boolean {
    return this.dispatchEvent(new CustomEvent("framedle:" + name, { detail, bubbles: true, composed: true, cancelable: true }));
  }

  protected who = async (): Promise<string | null> => playerOf(await this.#token?.({ fresh: false }));

  // Attributes that are set together lead to one request.
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
