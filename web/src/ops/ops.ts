// The operator's page: it asks for the token, and shows the desk until the operator signs out.
import { showDesk } from "./desk.ts";
import { askForToken } from "./signin.ts";

const root = document.getElementById("main")!;

function begin(): void {
  askForToken(root, (session, usage) => showDesk(root, session, usage, begin));
}

begin();
