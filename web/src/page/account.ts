// The corner in which the player signs in and out, and, in the local product, the strip in
// which visitors sign in with any name and send a score.
import { fill, h, say } from "../parts/dom.ts";
import { face } from "./people.ts";
import type { Session } from "./session.ts";
import type { Settings } from "./settings.ts";
import { words } from "./words.ts";

export class Account {
  readonly element = h("div", { class: "account" });
  readonly strip: HTMLElement | null;
  private readonly local = h("div");
  private readonly said = h("span", { role: "alert", class: "said" });
  private readonly name = h("input", { "data-testid": "sign-in-name", "aria-label": words.yourName, placeholder: words.yourName, autocomplete: "off", maxlength: 80, required: true });

  constructor(
    private readonly settings: Settings,
    private readonly session: Session,
    private readonly open: (player: string) => void = () => {},
    ...tries: Node[]
  ) {
    this.strip = settings.local ? h("section", { class: "try", "aria-label": words.tryIt, "data-testid": "try" }, h("h2", {}, words.tryIt), this.local, ...tries) : null;
  }

  /** signIn begins to sign the player in; undefined if this page cannot. */
  get signIn(): (() => void) | undefined {
    if (this.settings.local) return () => (this.name.scrollIntoView({ block: "center" }), this.name.focus({ preventScroll: true }));
    const { signIn } = this.settings;
    return signIn && (() => void signIn());
  }

  async update(): Promise<void> {
    const { settings, session } = this;
    const player = settings.local || settings.signIn || settings.signOut || settings.getToken ? await session.player() : null;
    const corner: (Node | false)[] = [];
    if (player !== null) corner.push(h("button", { type: "button", class: "face", "data-testid": "account", "aria-label": words.you, onclick: () => this.open(player) }, face({ player, name: session.name ?? undefined })));
    if (settings.local) {
      if (player === null) corner.push(h("button", { type: "button", class: "ghost", "data-testid": "to-sign-in", onclick: () => this.signIn?.() }, words.signIn));
      fill(this.element, ...corner);
      return this.updateLocal();
    }
    const [text, act] = player !== null ? [words.signOut, settings.signOut] : [words.signIn, settings.signIn];
    if (act) corner.push(h("button", { type: "button", class: "ghost", "data-testid": player !== null ? "sign-out" : "sign-in", onclick: () => void act() }, text));
    fill(this.element, ...corner);
  }

  private updateLocal(): void {
    const { session } = this;
    if (session.name !== null) {
      return fill(
        this.local,
        h("div", { class: "row" },
          h("span", { "data-testid": "signed-in", class: "name" }, h("bdi", {}, session.name)),
          h("button", { type: "button", class: "ghost", "data-testid": "sign-out", onclick: () => session.signOut() }, words.signOut)),
      );
    }
    const submit = async (event: SubmitEvent) => {
      event.preventDefault();
      say(this.said, "");
      const name = this.name.value.trim();
      try {
        if (name) await session.signIn(name);
        this.name.value = "";
      } catch {
        say(this.said, words.signInFailed);
      }
    };
    fill(this.local, h("form", { onsubmit: submit }, this.name, h("button", { "data-testid": "sign-in" }, words.signIn)), this.said);
  }
}
