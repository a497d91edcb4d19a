// The page. Its address is its state; everything it shows follows from the address and the
// API's answers.
import { createClient, type Client } from "../../../sdk/js/src/client.ts";
import { transport } from "../../../sdk/js/src/transport.ts";
import type { Card, Entry, Game, Me, Page, Result } from "../../../sdk/js/src/index.ts";
import type { Query } from "../parts/board.ts";
import { fill, h, say, show } from "../parts/dom.ts";
import { Format, localeOf } from "../parts/format.ts";
import { Panel } from "../parts/panel.ts";
import { dateOf, title } from "../parts/periods.ts";
import { Picker } from "../parts/picker.ts";
import { copy, shareText } from "../parts/share.ts";
import { Tabs, type Tab } from "../parts/tabs.ts";
import { words } from "../parts/words.ts";
import { Account } from "./account.ts";
import { BadgesList } from "./badges.ts";
import { DuelsList } from "./duels.ts";
import { FriendsLists } from "./friends.ts";
import { LeagueTab } from "./league.ts";
import { attempt, buttons, type Act } from "./people.ts";
import { Play, TypingLink } from "./play.ts";
import { nameOfPlace, scopeOf, Scopes } from "./scopes.ts";
import { Session } from "./session.ts";
import type { Settings } from "./settings.ts";
import { Spread } from "./spread.ts";
import { isModeless, isScoped, periodOf, read, write, type State, type TabName } from "./state.ts";

const titles: Record<TabName, string> = {
  day: "Daily", week: "Weekly", month: "Monthly", alltime: "All-time", friends: "Friends", country: "Country", group: "Groups", league: "League", xp: "XP", duels: "Duels",
};

const periodTitles = { day: "Daily", week: "Weekly", month: "Monthly", alltime: "All-time" };

const pageSize = 50;

export class App {
  private state: State = read(location.search);
  private game: Game | null = null;
  private me: string | null = null;
  private own: Me | null = null; // read once, for the streak in a shared result
  private current = ""; // the current day, as the API names it
  private degraded = false;
  private answered = { sent: 0, isOurClock: false }; // when the last board was requested; whether our clock agrees with the API's
  private pushed = false; // the open card has a history entry of its own

  private readonly session: Session;
  private readonly client: Client;
  private readonly renew: () => void;
  private readonly format: Format;
  private readonly account: Account;
  private readonly panel: Panel;
  private readonly tabs: Tabs;
  private readonly picker: Picker;
  private readonly scopes: Scopes;
  private readonly badges: BadgesList;
  private readonly league: LeagueTab;
  private readonly friends: FriendsLists;
  private readonly duels: DuelsList;
  private readonly spread: Spread;
  private readonly play: Play;
  private readonly typing = new TypingLink();
  private readonly others = new BroadcastChannel("framedle");

  private readonly heading = h("h1", {}, "Leaderboards");
  private readonly modes = h("select", { "data-testid": "mode", "aria-label": "Game mode", onchange: () => this.go({ mode: this.modes.value, date: null }) });
  private readonly periods = h("select", { "data-testid": "period-kind", "aria-label": "How long the board collects", onchange: () => this.go({ period: this.periods.value as State["period"], date: null }) });
  private readonly share = h("button", { type: "button", "data-testid": "share", hidden: true, onclick: () => void this.shareResult() }, "Share");
  private readonly shared = h("div");
  private readonly prompt = h("p", { "data-testid": "signed-out", class: "banner", hidden: true });
  private readonly banner = h("div", { class: "banner", hidden: true, "data-testid": "banner" });
  private readonly view = h("section", { id: "view", role: "tabpanel" });

  constructor(private readonly settings: Settings) {
    const into = settings.into ?? document.getElementById("main")!;
    this.format = new Format(localeOf(into));
    this.session = new Session(settings, () => void this.identify());
    // A client remembers what its player has submitted, so each player gets a new one.
    const reached = { baseUrl: settings.api ?? "", getToken: this.session.token, fetch: (url: RequestInfo | URL, init?: RequestInit) => this.fetch(url, init) };
    const renew = () => createClient(reached);
    let client = renew();
    this.renew = () => (client = renew());
    this.client = new Proxy(client, { get: (_, method) => client[method as keyof Client] });
    const { ask } = transport(reached);
    this.badges = new BadgesList(ask, this.format);
    this.league = new LeagueTab(ask, this.format, (entry) => void this.openCard(entry, { mode: "xp", period: "alltime", limit: pageSize }));
    this.account = new Account(settings, this.session);
    const link = (name: "invite" | "duel") => (code: string) => `${location.origin}${location.pathname}?${write({ ...this.state, player: "", invite: "", duel: "", [name]: code })}`;
    this.friends = new FriendsLists(this.client, this.format, () => this.panel.board.forgetFriends(), link("invite"));
    this.duels = new DuelsList(this.client, this.format, () => this.me, () => this.panel.board.outdate("duels"), link("duel"));
    this.spread = new Spread(ask, this.format, (name) => this.game && { decimals: placesOf(this.mode(name)), ascending: this.mode(name)?.order === "asc" });
    this.play = new Play(this.client, this.format, (result, details) => this.played(result, details));
    this.panel = new Panel({
      client: this.client,
      format: this.format,
      who: this.session.player,
      pictures: settings.pictures !== false,
      caption: (query) => this.caption(query),
      decimals: (query) => placesOf(this.mode(query.mode)),
      signedOut: () => (this.canSignIn ? words.signedOut : undefined),
      degraded: () => this.degraded,
      isFresh: (page) => this.isFresh(page),
      chosen: (entry) => (this.choose(entry), true),
      closed: () => this.cardClosed(),
      shown: () => this.shown(),
      beside: [this.share],
    });
    this.tabs = new Tabs("Boards", this.view, (name) => this.go({ tab: name as TabName, date: null }));
    this.picker = new Picker(this.format, (date) => this.go({ date }));
    this.scopes = new Scopes(this.format, (change) => this.go(change));
    this.view.append(
      h("div", { class: "bar" }, this.picker.element, this.periods, ...this.scopes.elements),
      this.prompt, this.friends.element, this.duels.element, this.league.element, this.panel.element, this.spread.element, this.shared,
      this.panel.card.element, // outside the panel: a card opens also from tabs without a board
    );
    fill(into, h("header", {}, this.heading, this.account.element), this.banner, h("div", { class: "bar" }, this.modes, this.play.element, this.typing.element), this.tabs.element, this.view);
    this.tabs.list(this.tabList());
    for (const [name, text] of Object.entries(periodTitles)) this.periods.append(h("option", { value: name }, text));
    addEventListener("popstate", () => this.popped());
    this.others.addEventListener("message", ({ data }) => this.panel.board.outdate(String(data)));
  }

  /** start requests the game and, at the same time, the board, if the address names one. */
  async start(): Promise<void> {
    const game = this.client.game();
    this.me = await this.session.player();
    void this.account.update();
    this.apply();
    this.game = await game.catch(() => null);
    if (!this.game) await this.waitForGame();
    this.begin();
  }

  // waitForGame requests the game until the API answers: without it the page has nothing to show.
  private async waitForGame(): Promise<void> {
    const note = h("p", { "data-testid": "error", role: "alert", class: "banner" });
    this.view.before(note);
    show(this.view, false);
    for (let pause = 5_000; !this.game; pause = Math.min(2 * pause, 60_000)) {
      await new Promise<void>((go) => {
        const timer = setTimeout(go, pause);
        const again = () => (clearTimeout(timer), removeEventListener("online", again), go());
        addEventListener("online", again);
        fill(note, words.unreachable + " ", h("button", { type: "button", "data-testid": "retry", onclick: again }, words.retry));
      });
      this.game = await this.client.game().catch(() => null);
    }
    note.remove();
    show(this.view, true);
  }

  private begin(): void {
    const { game } = this;
    if (!game) return;
    this.current ||= game.open_dates.at(-1)?.date ?? "";
    say(this.heading, game.name);
    this.modes.replaceChildren(...game.modes.map((mode) => h("option", { value: mode.name }, mode.title)));
    this.apply();
    this.panel.update(); // the board may have arrived before the game
    if (this.state.player) void this.openCard({ player: this.state.player });
  }

  private get canSignIn(): boolean {
    return !!(this.settings.local || this.settings.getToken);
  }

  private mode(name: string) {
    return this.game?.modes.find((mode) => mode.name === name);
  }

  private tabList(): Tab[] {
    const { game } = this;
    const mode = this.mode(this.state.mode);
    const is: Partial<Record<TabName, boolean>> = {
      friends: !game || game.features.includes("friends"),
      country: !mode || mode.scopes.includes("country") || mode.scopes.includes("region"),
      group: !mode || mode.scopes.includes("group"),
      league: !game || game.features.includes("leagues"),
      xp: !game || game.features.includes("xp"),
      duels: !game || game.features.includes("duels"),
    };
    return Object.entries(titles).filter(([name]) => is[name as TabName] !== false).map(([name, title]) => ({ name, title }));
  }

  // go changes the state and adds it to the history, so that going back undoes the change.
  private go(change: Partial<State>): void {
    Object.assign(this.state, change);
    history.pushState(null, "", this.address());
    this.apply();
  }

  private address(): string {
    const query = write(this.state);
    return location.pathname + (query && "?" + query);
  }

  private popped(): void {
    this.pushed = false;
    this.state = read(location.search);
    this.apply();
    if (this.state.player) void this.openCard({ player: this.state.player });
    else this.panel.card.close();
  }

  // apply makes the whole page show the state.
  private apply(): void {
    const { state, game, panel } = this;
    if (game && !this.mode(state.mode)) state.mode = game.modes[0]!.name;
    const list = this.tabList();
    if (game) {
      if (list.length !== this.tabs.element.childElementCount || list.some(({ name }, i) => (this.tabs.element.children[i] as HTMLElement).dataset.name !== name)) this.tabs.list(list);
      if (!list.some(({ name }) => name === state.tab)) state.tab = "day";
    }
    this.tabs.select(state.tab);
    this.modes.value = state.mode;
    const isModal = !isModeless(state);
    show(this.modes, isModal);
    show(this.periods, isScoped(state));
    this.periods.value = state.period;
    const mode = this.mode(state.mode);
    this.scopes.update(state, game, mode, panel.board.own?.country);
    show(this.friends.element, state.tab === "friends" && this.me !== null);
    show(this.duels.element, state.tab === "duels" && this.me !== null);
    const missing = this.missing();
    show(this.prompt, !!missing);
    say(this.prompt, missing);
    const isLeague = state.tab === "league";
    this.league.update(isLeague && !missing, game?.leagues?.tiers ?? []);
    show(panel.element, !missing && !isLeague);
    this.pick();
    this.offer();
    fill(this.shared);
    const isOpen = !!mode && !mode.authoritative && !mode.computed && this.me !== null && !state.date && isModal;
    this.play.update(this.settings.local && isOpen ? mode : null);
    this.typing.update(this.settings.local && isModal ? (mode ?? null) : null);
    const query = missing || isLeague || (!state.mode && isModal) ? null : this.query();
    if (JSON.stringify(query) !== JSON.stringify(panel.board.query)) panel.board.show(query);
    this.spread.update(panel.board);
    if (game) document.title = `${isModal ? (mode?.title ?? "") : titles[state.tab]} · ${game.name}`;
  }

  // missing says what the player has to do before the page can show a board; "" if nothing.
  private missing(): string {
    const { state } = this;
    if (state.tab === "friends" && this.me === null) return "Sign in to see how you stand among your friends.";
    if (state.tab === "league" && this.me === null) return "Sign in to see your league.";
    return scopeOf(state, this.mode(state.mode)) === null ? "Name a group to see its board." : "";
  }

  private query(): Query {
    const { state } = this;
    const { tab } = state;
    const period = periodOf(state);
    const date = state.date && period !== "alltime" ? { date: state.date } : {};
    const scope = scopeOf(state, this.mode(state.mode));
    const whose = tab === "friends" ? { friends: true } : scope ? { scope } : {};
    return { mode: tab === "xp" || tab === "duels" ? tab : state.mode, period, ...date, ...whose, limit: pageSize };
  }

  private caption(query: Query): string {
    const { state } = this;
    const mode = this.mode(query.mode)?.title ?? titles[state.tab];
    const page = this.panel.board.page;
    const date = state.date ?? (page && dateOf(query.period, page.key));
    const when = date && query.period !== "alltime" ? title(query.period, date, this.format) : "all time";
    const who = query.friends ? "friends" : query.scope === "groups" ? "groups" : state.tab === "group" ? state.group : query.scope && nameOfPlace(state, this.format);
    return [mode, who, when].filter(Boolean).join(", ");
  }

  private pick(): void {
    const period = periodOf(this.state);
    const current = this.current || new Date().toISOString().slice(0, 10);
    this.picker.update(period, this.state.date ?? current, current);
  }

  // shown is called after each change of the board.
  private shown(): void {
    const { page, own, query } = this.panel.board;
    this.spread.update(this.panel.board);
    show(this.share, !!own?.rank && query?.period === "day" && !query.scope && !query.friends);
    if (!page || query?.date || page.period !== "day" || page.key === this.current) return;
    const before = this.current;
    this.current = page.key;
    this.pick();
    if (before && this.game) void this.client.game().then((game) => (this.game = game), () => {}); // a new day has begun, with other open dates
  }

  private async identify(): Promise<void> {
    this.me = await this.session.player();
    this.own = null;
    this.renew();
    this.friends.reset();
    this.duels.reset();
    this.league.reset();
    this.badges.forget();
    this.panel.card.close();
    this.panel.board.forget(this.me);
    void this.account.update();
    this.apply();
  }

  private played(result: Result, details: unknown): void {
    if (this.own) this.own = null;
    this.panel.board.played(result, result.status === "kept" ? undefined : details);
    this.others.postMessage(result.mode);
  }

  // choose opens the card of the row's player; on a board of groups it opens the group's board.
  private choose(entry: Entry): void {
    if (this.panel.board.query?.scope === "groups") this.go({ group: entry.player });
    else this.pushCard(entry);
  }

  private pushCard(entry: Entry): void {
    this.state.player = entry.player;
    history.pushState(null, "", this.address());
    this.pushed = true;
    void this.openCard(entry);
  }

  private async openCard(known: Partial<Card> & { player: string }, query = this.panel.board.query): Promise<void> {
    if (!query) return;
    const isMe = known.player === this.me;
    const said = h("p", { role: "status", class: "said" });
    const acts: Act[] = [];
    if (this.me && !isMe) {
      if (this.game?.features.includes("friends")) acts.push(["Ask to be friends", () => this.friends.ask(known.player)]);
      if (this.game?.features.includes("duels")) acts.push(["Challenge", () => this.duels.challenge(known.player)]);
      if (this.game?.features.includes("friends")) acts.push(["Block", () => this.friends.block(known.player)]);
    }
    const badges = this.game?.features.includes("badges") && this.badges.of(known.player);
    await this.panel.card.open(known, query, isMe, [...(badges ? [badges] : []), ...buttons(acts, said), said]);
  }

  private cardClosed(): void {
    if (!this.state.player) return;
    this.state.player = "";
    if (this.pushed) history.back();
    else history.replaceState(null, "", this.address());
    this.pushed = false;
  }

  // offer asks the player to accept the invite or the challenge of the link that led here.
  private offer(): void {
    const { invite, duel } = this.state;
    show(this.banner, !!(invite || duel));
    if (!invite && !duel) return;
    const text = invite ? "You have been invited to be friends." : "You have been challenged to a duel.";
    if (this.me === null) return fill(this.banner, text + " Sign in to accept.");
    const said = h("span", { role: "status" });
    const done = () => {
      this.state.invite = this.state.duel = "";
      history.replaceState(null, "", this.address());
    };
    const accept = async () => {
      const answer = await (invite ? this.friends.accept(invite) : this.duels.accept(duel));
      done();
      fill(this.banner, answer);
    };
    fill(this.banner, text, ...buttons([["Accept", accept], ["No, thanks", async () => (done(), this.offer())]], said), said);
  }

  private async shareResult(): Promise<void> {
    const { own, page, query } = this.panel.board;
    if (!own?.rank || !page || !query) return;
    const { rank } = own;
    await attempt(async () => {
      const hasStreaks = this.game?.features.includes("streaks");
      if (hasStreaks) this.own ??= await this.client.me().catch(() => null);
      let { details } = own;
      if (details === undefined && this.mode(query.mode)?.details) {
        const card = await this.client.card(query.mode, "me", { period: "day", date: query.date } as never);
        this.panel.board.learn(card);
        details = card.details;
      }
      const text = shareText({
        game: this.game?.name ?? "", mode: this.mode(query.mode)?.title ?? query.mode, when: title("day", page.key, this.format),
        rank, total: page.total, streak: this.own?.streak?.current, details, link: `${location.origin}${location.pathname}?${write({ ...this.state, player: "", date: page.key })}`,
      }, this.format);
      const isCopied = await copy(text);
      fill(
        this.shared,
        h("p", { role: "status", "data-testid": "shared" }, isCopied ? "Copied." : "Copy this:"),
        h("textarea", { readonly: true, rows: 6, "aria-label": "The text to share", "data-testid": "share-text" }, text),
      );
    }, this.shared, this.share);
  }

  // fetch notes whether a board's answer is plainer to save budget (the header Framedle-Degraded),
  // and whether this machine's clock agrees with the API's.
  private async fetch(url: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const sent = Date.now();
    const response = await fetch(url, init);
    if (!String(url).includes("/leaderboards/")) return response;
    this.degraded = response.headers.has("Framedle-Degraded");
    const date = Date.parse(response.headers.get("Date") ?? "");
    this.answered = { sent, isOurClock: date >= sent - 2000 && date <= Date.now() + 1000 };
    return response;
  }

  // isFresh reports whether a page was read after its request was sent. It can tell only while
  // this machine's clock agrees with the API's, since the page has the API's time.
  private isFresh(page: Page): boolean {
    return this.answered.isOurClock && Date.parse(page.updated_at) >= Math.floor(this.answered.sent / 1000) * 1000;
  }
}

// placesOf is the number of decimals of a mode's scores, or of each of its values by name.
const placesOf = (mode: Game["modes"][number] | undefined) => (mode?.values ? Object.fromEntries(mode.values.map((v) => [v.name, v.decimals])) : mode?.decimals);
