// The screens of the page, each at a hash address, and the order of its requests.
import type { Health, Statistics, Status, Usage } from "../../../sdk/js/src/types.ts";
import { fill, h, say, show as shown } from "../parts/dom.ts";
import { bans, type Act } from "./bans.ts";
import { daysChart, daysTable } from "./days.ts";
import { dead } from "./dead.ts";
import { health } from "./health.ts";
import { held } from "./held.ts";
import { log } from "./log.ts";
import { maintenance } from "./maintenance.ts";
import { bill, overview } from "./overview.ts";
import { rail, titleOf } from "./rail.ts";
import { playerSection } from "./player.ts";
import { routes } from "./routes.ts";
import { schedules } from "./schedules.ts";
import { announcement, section } from "./section.ts";
import type { Session } from "./session.ts";
import { whatIf } from "./whatif.ts";
import { plural, problem } from "./words.ts";

const roles = { read: "read-only", moderate: "moderator", administer: "administrator" };

export function showDesk(root: HTMLElement, session: Session, first: Usage, signedOut: () => void): void {
  const { ops } = session;
  const told = announcement();
  const outdated = h("p", { class: "wrong", "data-testid": "outdated" });
  const top = h("div");
  const [chart, spent, paths, projection] = [h("div"), h("div"), h("div"), h("div")];
  const who = h("p", { class: "small", "data-testid": "who" });
  const brand = h("p", { class: "brand" }, "Operations");
  const title = h("h1", { tabindex: -1 });
  const out = h("button", { type: "button", "data-testid": "sign-out" }, "Sign out");
  const beside = rail(brand, who, out);
  let usage = first, status: Status | undefined, seen: Health | undefined, played: Statistics | undefined, cursors: Record<string, string> = {};
  let span = 7, read = new Date();
  let inReview: number | undefined, inDead: number | undefined;

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
    if (!status) throw new Error("Status unavailable: Redis is not responding.");
    return show(status);
  };
  const state = section("state", "Health", known((s) => health(s, seen)));
  const runs = section("schedules", "Schedules", known((s) => schedules(session, s, async (said) => { told.tell(said); await look(); })));
  const pause = section("maintenance", "Maintenance", known((s) => maintenance(ops, s, act)));
  const letters = section("dead-letters", "Dead letters", async () => {
    const all = await ops.deadLetters();
    inDead = (all.failed_runs?.count ?? 0) + (all.queued_scores?.count ?? 0);
    beside.count("dead-letters", inDead);
    return dead(all, async () => {
      await act(async () => `${plural((await ops.redrive()).sent_back, "score")} re-queued.`);
      await letters.load();
    });
  });
  const waiting = section("held", "Scores under review", async () => {
    const all = await ops.held({ limit: 50, cursor: cursors.held });
    inReview = all.held.length;
    beside.count("held", inReview);
    return held(ops, all, act, () => waiting.load(), page("held", () => waiting.load()));
  });
  const list = section("bans", "Bans", async () => bans(ops, await ops.bans({ limit: 50, cursor: cursors.bans }), act, page("bans", () => list.load())));
  // Load it after look, which finds out whether there is a database: without one the API refuses
  // the request, and the browser logs an error.
  const history = section("log", "Audit log", async () => seen?.database === "none" ? [h("p", {}, "No database: actions are in the functions' logs.")] : log(await ops.log({ limit: 50, cursor: cursors.log }), page("log", () => history.load())));

  const showTop = () => {
    fill(top, overview({ usage, span, status, health: seen, played, waiting: inReview, dead: inDead }));
    if (status) fill(brand, status.game, " ", h("small", {}, status.version === "unknown" ? "" : status.version.replace(/^([0-9a-f]{7})[0-9a-f]{33}/, "$1")));
  };
  const show = () => {
    showTop();
    fill(chart, daysChart(usage, span));
    fill(spent, bill(usage), daysTable(usage, span));
    fill(paths, routes(usage, span));
    fill(projection, usage.plan.commands > 0 ? whatIf(usage, session, () => void refresh()) : h("p", {}, "Your own servers are not on the price list."));
    fill(again, "Refresh ", h("small", {}, read.toISOString().slice(11, 16)));
  };
  // The database reads every result of the days that are asked for, so no more are asked for than are shown.
  const count = async () => {
    if (!seen || seen.database === "none") return;
    played = await ops.statistics({ days: Math.max(2, span) }).catch(() => undefined);
    showTop();
  };
  const range = h("fieldset", { class: "range" }, h("legend", { class: "unseen" }, "Range"), ...([[1, "24 h"], [7, "7 d"], [30, "30 d"]] as const).map(([n, text]) =>
    h("label", {}, h("input", { type: "radio", name: "range", value: n, checked: n === span, "data-testid": `range-${n}`, onchange: () => {
      const isLonger = n > span;
      span = n;
      show();
      if (isLonger) void count();
    } }), h("span", {}, text))));
  const look = async () => {
    const failed: unknown[] = [];
    const note = (error: unknown) => void failed.push(error);
    [status, seen] = await Promise.all([ops.status().catch(note), ops.health().catch(note)]) as [Status | undefined, Health | undefined];
    if (failed.length) told.tell(problem(failed[0]));
    if (seen?.operator) {
      say(who, `Signed in as ${seen.operator.actor.replace(/^operator /, "")} (${roles[seen.operator.role as keyof typeof roles]})`);
      root.dataset.role = seen.operator.role; // ops.css hides what the role may not do
    }
    showTop();
    await Promise.all([state.load(), runs.load(), pause.load(), count()]);
  };
  const lists = () => Promise.all([look().then(history.load), letters.load(), waiting.load(), list.load()]).then(showTop);
  // What is shown while the API does not answer is grey, and says from when it is.
  const old = (is: boolean) => {
    for (const part of [top, chart, spent, paths, projection, ...[state, runs, letters, waiting, pause, list, history].map((s) => s.element)]) part.toggleAttribute("data-old", is);
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
      await lists();
      if (status && seen) told.tell("Refreshed.");
    } catch (error) {
      old(true);
      told.tell(problem(error));
    }
    again.disabled = false;
    if (document.activeElement === document.body) again.focus();
  };

  const again = h("button", { type: "button", "data-testid": "refresh" }, "Refresh");
  again.addEventListener("click", () => void refresh());
  const ban = (player: string) => {
    const field = list.element.querySelector<HTMLInputElement>("#ban-player");
    if (!field) return;
    go("bans");
    field.value = player;
    list.element.querySelector<HTMLInputElement>("#ban-reason")!.focus();
  };
  const search = playerSection(ops, act, ban, () => seen?.database !== "none");
  const screens: Record<string, HTMLElement[]> = {
    overview: [top, chart], bill: [spent], routes: [paths], "what-if": [projection],
    players: [search], held: [waiting.element], bans: [list.element],
    state: [state.element], schedules: [runs.element], "dead-letters": [letters.element], maintenance: [pause.element], log: [history.element],
  };
  let screen = "";
  // go shows a screen. Its title gets the focus, as if a page had been loaded.
  const go = (id: string) => {
    if (id === screen) return;
    screen = id;
    told.tell(""); // it was about another screen
    for (const [name, parts] of Object.entries(screens)) for (const part of parts) shown(part, name === id);
    shown(range, id === "overview" || id === "bill" || id === "routes");
    beside.mark(id);
    say(title, titleOf(id)!);
    if (location.hash.slice(1) !== id) location.hash = id;
    scrollTo(0, 0);
    title.focus();
  };
  const turn = () => go(titleOf(location.hash.slice(1)) ? location.hash.slice(1) : "overview");
  const find = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches("input, select, textarea");
    const isShortcut = event.key === "/" ? !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey : event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
    if (!isShortcut || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    go("players");
    search.querySelector("input")!.select();
  };
  addEventListener("hashchange", turn);
  addEventListener("keydown", find);
  out.addEventListener("click", () => {
    removeEventListener("hashchange", turn);
    removeEventListener("keydown", find);
    session.end();
    delete root.dataset.role;
    signedOut();
  });
  fill(root, h("div", { class: "desk" }, beside.element, h("div", {}, h("header", {}, title, range, again, told.element), h("main", {}, outdated, ...Object.values(screens).flat(),
    h("p", { class: "small" }, "Billed Redis commands as reported by each process, up to 5 minutes behind. Loading this page costs commands too: docs/operate/ops-page.md.")))));
  show();
  turn(); // to the title, since the field of the token, which had the focus, is gone
  void lists();
}
