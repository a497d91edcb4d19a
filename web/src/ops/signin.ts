// The form in which the operator types the token. The token is never stored, and is sent only
// in a header.
import { LeaderboardsError } from "../../../sdk/js/src/errors.ts";
import type { Usage } from "../../../sdk/js/src/types.ts";
import { fill, h, say } from "../parts/dom.ts";
import { Session } from "./session.ts";
import { problem } from "./words.ts";

/** why explains a failure. If the API fails, it requests the health: that error says more, such as a used-up quota. */
async function why(session: Session, error: unknown): Promise<string> {
  if (!(error instanceof LeaderboardsError)) return problem(error);
  if (error.status === 401 || error.status === 403) return "Invalid token.";
  if (error.status < 500) return problem(error);
  return session.ops.health().then(() => problem(error), problem);
}

export function askForToken(root: HTMLElement, opened: (session: Session, usage: Usage) => void): void {
  const token = h("input", { id: "token", type: "password", autocomplete: "off", required: true, "data-testid": "token", spellcheck: "false", "aria-describedby": "token-said" });
  const button = h("button", { type: "submit", "data-testid": "sign-in" }, "Sign in");
  const said = h("p", { id: "token-said", role: "alert", "data-testid": "error" });
  const form = h("form", {}, h("label", { for: "token" }, "Operator token"), token, button);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    say(said, "");
    button.disabled = true;
    const session = new Session(token.value.trim());
    try {
      const usage = await session.usage();
      token.value = "";
      opened(session, usage);
    } catch (error) {
      say(said, await why(session, error));
      session.end();
      token.focus();
      token.select();
    } finally {
      button.disabled = false;
    }
  });
  fill(root, h("main", { class: "sign-in" }, h("h1", {}, "Operations"), form, said,
    h("p", { class: "small" }, "Kept in memory only; you’ll be asked again after a reload.")));
  token.focus();
}
