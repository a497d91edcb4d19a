// The layout of the page, and the order of its requests.
import type { Health, Status, Usage } from "../../../sdk/js/src/types.ts";
import { fill, h, say } from "../parts/dom.ts";
import { bans, type Act } from "./bans.ts";
import { days } from "./days.ts";
import { dead } from "./dead.ts";
import { health } from "./health.ts";
import { held } from "./held.ts";
import { log } from "./log.ts";
import { maintenance } from "./maintenance.ts";
import { overview } from "./overview.ts";
import { playerSection } from "./player.ts";
import { routes } from "./routes.ts";
import { schedules } from "./schedules.ts";
import { announcement, section } from "./section.ts";
import type { Session } from "./session.ts";
import { whatIf } from "./whatif.ts";
import { problem } from "./words.ts";

export function showDesk(root: HTMLElement, session: Session, first: Usage, signedOut: () => void): void {
  const { ops } = session;
  const told = announcement();
  const outdated = h("p", { class: "wrong", "data-testid": "outdated" });
  const figures = h("div", { class: "figures", "data-testid": "figures" });
  const top = h("div");
  const title = h("h1", { tabindex: -1 }, "Operations");
  let usage = first, status: Status | undefined, seen: Health | undefined, cursors: Record<string, string> = {};

  const act: Act = async (what, changes = "lists") => {
    try {
      told.tell(await what());
    } catch (error) {
      told.tell(problem(error));
      return;
    }
    if (changes === "status") await look();
    if (changes !== "nothing") await Promise.all([history.load(), list.load()]);
  };
  const page = (name: string, load: () => Promise<void>) => (cursor: string) => {
    cursors[name] = cursor;
    void load();
  };
  // One request for the status fills all sections made with known.
  const known = (show: (s: Status) => (string | Node | null | undefined | false)[]) => async () => {
    if (!status) throw new Error("The status is not known: Redis does not answer.");
    return show(status);
  };
  const state = section("state", "What is wrong", known((s) => health(s, seen)));
  const runs = section("schedules", "Schedules", known((s) => schedules(s, async (said) => { told.tell(said); await look(); })));
  const pause = section("maintenance", "Maintenance", known((s) => maintenance(ops, s, act)));
  const letters = section("dead-letters", "Dead letters", async () => dead(await ops.deadLetters(), async () => {
    await act(async () => `${(await ops.redrive()).sent_back} are on their way back.`);
    await letters.load();
  }));
  const waiting = section("held", "Held scores", async () => held(ops, await ops.held({ limit: 50, cursor: cursors.held }), act, () => waiting.load(), page("held", () => waiting.load())));
  const list = section("bans", "Bans", async () => bans(ops, await ops.bans({ limit: 50, cursor: cursors.bans }), act, page("bans", () => list.load())));
  // Load it after look, which finds out whether there is a database: without one the API refuses
  // the request, and the browser logs an error.
  const history = section("log", "What was done", async () => seen?.database === "none" ? [h("p", {}, "Without a database each act is a line of the functions' logs.")] : log(await ops.log({ limit: 50, cursor: cursors.log }), page("log", () => history.load())));

  const show = () => {
    fill(top, overview(usage, status, seen));
    fill(figures, days(usage), routes(usage), whatIf(usage, session, () => void refresh()));
    if (status) fill(title, `Operations: ${status.game} `, h("small", {}, status.version));
  };
  const look = async () => {
    const failed: unknown[] = [];
    const note = (error: unknown) => void failed.push(error);
    [status, seen] = await Promise.all([ops.status().catch(note), ops.health().catch(note)]) as [Status | undefined, Health | undefined];
    if (failed.length) told.tell(problem(failed[0]));
    fill(top, overview(usage, status, seen));
    if (status) fill(title, `Operations: ${status.game} `, h("small", {}, status.version));
    await Promise.all([state.load(), runs.load(), pause.load()]);
  };
  // What is shown while the API does not answer is grey, and says from when it is.
  let read = new Date();
  const old = (is: boolean) => {
    for (const part of [top, figures, ...[state, runs, letters, waiting, pause, list, history].map((s) => s.element)]) part.toggleAttribute("data-old", is);
    say(outdated, is ? `All figures below are from ${read.toISOString().slice(0, 16).replace("T", " ")} UTC.` : "");
  };
  const refresh = async () => {
    cursors = {};
    again.disabled = true;
    try {
      usage = await session.usage();
      read = new Date();
      old(false);
      show();
      await Promise.all([look().then(history.load), letters.load(), waiting.load(), list.load()]);
      if (status && seen) told.tell("Looked again.");
    } catch (error) {
      old(true);
      told.tell(problem(error));
    }
    again.disabled = false;
    if (document.activeElement === document.body) again.focus();
  };

  const again = h("button", { type: "button", "data-testid": "refresh" }, "Look again");
  again.addEventListener("click", () => void refresh());
  const out = h("button", { type: "button", "data-testid": "sign-out" }, "Sign out");
  out.addEventListener("click", () => {
    session.end();
    signedOut();
  });
  fill(root, h("header", {}, title, again, out), h("main", {}, told.element, outdated, top, figures, state.element, runs.element, letters.element, waiting.element, pause.element, list.element,
    playerSection(ops, act), history.element,
    h("p", { class: "small" }, "Figures are billed Redis commands as the product's processes have told of them, within some 5 minutes. A look at this page is counted too: docs/ops-page.md.")));
  show();
  title.focus(); // the field of the token, which had the focus, is gone
  void Promise.all([look().then(history.load), letters.load(), waiting.load(), list.load()]);
}
