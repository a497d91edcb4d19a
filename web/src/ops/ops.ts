// The operator's page: asks for the token, and then shows the desk until it is put away.
import { showDesk } from "./desk.ts";
import { askForToken } from "./signin.ts";

const root = document.getElementById("main")!;

function begin(): void {
  askForToken(root, (session, usage) => showDesk(root, session, usage, begin));
}

begin();
