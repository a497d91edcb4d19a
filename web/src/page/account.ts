// The corner in which the player signs in and out.
import { fill, h, say } from "../parts/dom.ts";
import type { Session } from "./session.ts";
import type { Settings } from "./settings.ts";

export class Account {
  readonly element = h("div", { class: "account" });
  private readonly said = h("span", { role: "alert", class: "said" });

  constructor(
    private readonly settings: Settings,
    private readonly session: Session,
  ) {}

  async update(): Promise<void> {
    const { settings, session } = this;
    if (!settings.local) {
      const isSignedIn = settings.signIn || settings.signOut ? (await session.player()) !== null : false;
      const [text, act] = isSignedIn ? ["Sign out", settings.signOut] : ["Sign in", settings.signIn];
      return fill(this.element, act && h("button", { type: "button", "data-testid": isSignedIn ? "sign-out" : "sign-in", onclick: () => void act() }, text));
    }
    if (session.name !== null) {
      return fill(
        this.element,
        h("span", { "data-testid": "signed-in", class: "name" }, h("bdi", {}, session.name)),
        h("button", { type: "button", "data-testid": "sign-out", onclick: () => session.signOut() }, "Sign out"),
      );
    }
    const name = h("input", { "data-testid": "sign-in-name", "aria-label": "Your name", placeholder: "Your name", autocomplete: "off", maxlength: 80, required: true });
    const submit = async (event: SubmitEvent) => {
      event.preventDefault();
      say(this.said, "");
      try {
        if (name.value.trim()) await session.signIn(name.value.trim());
      } catch {
        say(this.said, "That did not work. Is the product still running?");
      }
    };
    fill(this.element, h("form", { onsubmit: submit }, name, h("button", { "data-testid": "sign-in" }, "Sign in")), this.said);
  }
}
