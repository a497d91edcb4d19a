// The page. Its address is its state; everything it shows follows from the address and the
// API's answers.
import { createClient, type Client } from "../../../sdk/js/src/client.ts";
import { transport } from "../../../sdk/js/src/transport.ts";
import type { Entry, Game, Me, Page, Result } from "../../../sdk/js/src/index.ts";
import type { Query } from "../parts/board.ts";
import { CardDialog, type Known } from "../parts/card.ts";
import { gridOf } from "../parts/details.ts";
import { fill, h, say, show } from "../parts/dom.ts";
import { follow } from "../parts/follow.ts";
import { Format, localeOf } from "../parts/format.ts";
import { localized } from "../parts/titles.ts";
import { Panel } from "../parts/panel.ts";
import { dateOf, title, type Period } from "../parts/periods.ts";
import { Picker } from "../parts/picker.ts";
import { nameOf } from "../parts/player.ts";
import { shareText } from "../parts/share.ts";
import { Tabs, type Tab } from "../parts/tabs.ts";
import { Account } from "./account.ts";
import { BadgesList } from "./badges.ts";
import { DuelsPlace } from "./duels.ts";
import { flash } from "./flash.ts";
import { FriendsPlace } from "./friends.ts";
import { grab } from "./grab.ts";
import { LeaguePlace } from "./league.ts";
import { attempt, button, face, menu, type Act, type Person } from "./people.ts";
import { drawing, drawings, symbols } from "./pictures.ts";
import { Play, TypingLink } from "./play.ts";
import type { Poster } from "./poster.ts";
import { celebrate } from "./result.ts";
import { nameOfPlace, scopeOf, Scopes, type Whose } from "./scopes.ts";
import { series } from "./series.ts";
import { Session } from "./session.ts";
import type { Settings } from "./settings.ts";
import { save, ShareSheet } from "./share.ts";
import { Points } from "./points.ts";
import { Ranks } from "./ranks.ts";
import { Spread } from "./spread.ts";
import { isModeless, isScoped, periodOf, read, write, type State, type TabName } from "./state.ts";
import { toast, toasts } from "./toast.ts";
import { reasonOf, words } from "./words.ts";
import { Stand, You } from "./you.ts";

const pageSize = 50;
const friendsAge = 60_000; // ms after which open lists of friends are requested again
const staysAfter = 20_000; // ms after which a player who has signed in is one who stays

type Place = "boards" | "league" | "friends" | "duels";

const placeOf = ({ tab }: State): Place => (tab === "league" || tab === "friends" || tab === "duels" ? tab : "boards");

const periodNames: Period[] = ["day", "week", "month", "alltime"];
const rollingNames: Period[] = ["day", "last7", "last30", "week", "month", "alltime"]; // of a mode that adds up the last days

const isRolling = (period: Period): period is "last7" | "last30" => period === "last7" || period === "last30";

export class App {
  private state: State = read(location.search);
  private game: Game | null = null;
  private me: string | null = null;
  private own: Promise<Me | null> | null = null; // the player's profile, streak and level; null: not requested yet
  private current = ""; // the current day, as the API names it
  private degraded = false;
  private answered = { sent: 0, isOurClock: false }; // when the last board was requested; whether our clock agrees with the API's
  private pushed = false; // the open card has a history entry of its own
  private leaving: (() => void)[] | null = null; // what comes after the browser has left the entry of a card that was closed
  private counting: ReturnType<typeof setTimeout> | undefined;

  private readonly session: Session;
  private readonly client: Client;
  private readonly renew: () => void;
  private readonly format: Format;
  private readonly account: Account;
  private readonly panel: Panel;
  private readonly card: CardDialog;
  private readonly tabs: Tabs;
  private readonly picker: Picker;
  private readonly scopes: Scopes;
  private readonly badges: BadgesList;
  private readonly league: LeaguePlace;
  private readonly friends: FriendsPlace;
  private readonly duels: DuelsPlace;
  private readonly spread: Spread;
  private readonly points: Points;
  private readonly ranks: Ranks;
  private readonly side: HTMLElement;
  private readonly stand: Stand;
  private readonly you: You;
  private readonly play: Play;
  private readonly sheet = new ShareSheet();
  private readonly typing = new TypingLink();
  private readonly others = new BroadcastChannel("framedle");

  private readonly logo = h("span", { class: "logo", "aria-hidden": "true" });
  private readonly heading = h("h1", {}, words.title);
  private readonly modes = h("select", { "data-testid": "mode", "aria-label": words.mode, onchange: () => this.turnMode(this.modes.value) }, h("option", { value: "" }, "…"));
  private readonly places: Record<Place, HTMLAnchorElement>;
  private readonly counts: Record<"friends" | "duels", HTMLElement> = { friends: h("span", { class: "dot", hidden: true }), duels: h("span", { class: "dot", hidden: true }) };
  private readonly nav = h("nav", { class: "places", "aria-label": words.places });
  private readonly share = h("button", { type: "button", class: "primary", "data-testid": "share", hidden: true, onclick: () => void this.shareResult() }, words.share);
  private readonly prompt = h("p", { "data-testid": "signed-out" });
  private readonly missed = h("div", { class: "picture-empty", hidden: true }, drawing(drawings.people, 96), this.prompt, h("button", { type: "button", class: "primary", onclick: () => this.account.signIn?.() }, words.signIn));
  private readonly empty = h("div", { class: "picture-empty", hidden: true });
  private readonly banner = h("div", { class: "banner", hidden: true, "data-testid": "banner" });
  private readonly tools: HTMLElement;
  private readonly ratings = h("h2", { hidden: true, class: "ratings" }, words.ratingBoard);
  private readonly view = h("section", { id: "view", role: "tabpanel", class: "board box" });
  private readonly cols: HTMLElement;

  constructor(private readonly settings: Settings) {
    const into = settings.into ?? document.getElementById("main")!;
    into.classList.add("lb");
    this.format = new Format(localeOf(into));
    const { format } = this;
    this.session = new Session(settings, () => void this.identify());
    // A client remembers what its player has submitted, so each player gets a new one.
    const reached = { baseUrl: settings.api ?? "", getToken: this.session.token, fetch: (url: RequestInfo | URL, init?: RequestInit) => this.fetch(url, init) };
    const renew = () => createClient(reached);
    let client = renew();
    this.renew = () => (client = renew());
    this.client = new Proxy(client, { get: (_, method) => client[method as keyof Client] });
    const { ask } = transport(reached);
    const scale = (name: string) => this.game && { decimals: placesOf(this.mode(name)), ascending: this.mode(name)?.order === "asc" };
    const link = (name: "invite" | "duel") => (code: string) => `${location.origin}${location.pathname}?${write({ ...this.state, player: "", invite: "", duel: "", [name]: code })}`;
    const see = (person: Person) => this.pushCard(person);
    this.badges = new BadgesList(ask, format);
    this.league = new LeaguePlace(ask, format, (entry) => void this.openCard(entry, { mode: "xp", period: "alltime", limit: pageSize }));
    this.friends = new FriendsPlace(this.client, format, () => this.panel.board.forgetFriends(), (n) => this.count("friends", n), link("invite"), see);
    this.duels = new DuelsPlace(this.client, format, reached, {
      me: () => this.me, changed: () => this.panel.board.outdate("duels"), counted: (n) => this.count("duels", n), link: link("duel"), open: see,
      tries: !!settings.local, title: (mode) => this.mode(mode)?.title ?? mode,
    });
    this.points = new Points(format, (mode) => this.mode(mode)?.title ?? mode);
    this.spread = new Spread(ask, format, scale);
    this.ranks = new Ranks(ask, format, scale);
    this.play = new Play(this.client, format, (result, details) => this.played(result, details), (isSending) => (this.panel.board.submitting = isSending));
    this.account = new Account(settings, this.session, (player) => this.pushCard({ player }), this.play.element, this.typing.element);
    this.stand = new Stand(format);
    this.you = new You(format, {
      decimals: (mode) => placesOf(this.mode(mode)), signIn: () => this.account.signIn, share: this.share,
      find: () => void this.panel.findMe(),
    });
    this.panel = new Panel({
      client: this.client,
      format,
      who: this.session.player,
      pictures: settings.pictures !== false,
      podium: true,
      neighbours: true,
      below: matchMedia("(max-width: 759px)").matches ? 60 : 0,
      find: () => void this.panel.findMe(),
      caption: (query) => this.caption(query),
      decimals: (query) => placesOf(this.mode(query.mode)),
      signedOut: () => (this.canSignIn ? words.signedOut : undefined),
      degraded: () => this.degraded,
      isFresh: (page) => this.isFresh(page),
      isAbsent: (query) => this.isAbsent(query),
      stream: follow(reached),
      chosen: (entry) => this.choose(entry),
      shown: () => this.shown(),
      head: { element: this.stand.element, update: (board, signedOut) => (this.stand.update(board as never), this.you.update(board as never, signedOut)) },
      empty: (isEmpty) => this.drawEmpty(isEmpty),
    });
    flash(this.panel);
    this.card = new CardDialog(this.client, format, settings.pictures !== false, () => this.cardClosed());
    this.card.element.prepend(grab());
    this.tabs = new Tabs(words.period, this.view, (name) => this.turnPeriod(name as Period));
    this.picker = new Picker(format, {
      period: words.period, previous: words.previous, next: words.next, pickDate: words.pickDate, backToToday: words.backToToday, current: (period) => this.now(period) }, (date) => this.go({ date }));
    this.scopes = new Scopes(format, (change) => this.go(change));
    this.places = Object.fromEntries((["boards", "league", "friends", "duels"] as const).map((place) => [place, h(
      "a",
      { href: "?" + write({ ...this.state, tab: place === "boards" ? "day" : place }), "data-testid": "tab-" + place, onclick: (event: MouseEvent) => this.turnPlace(place, event) },
      drawing(symbols[place]), words[place], place === "friends" || place === "duels" ? this.counts[place] : null,
    )])) as Record<Place, HTMLAnchorElement>;
    this.tools = h("div", { class: "tools" }, this.tabs.element, this.picker.element, ...this.scopes.elements, this.stand.element);
    this.view.append(this.tools, this.missed, this.friends.top, this.duels.element, this.league.element, this.ratings, this.panel.element, this.friends.element);
    this.side = h("aside", { class: "side", "aria-label": words.you }, this.account.strip, this.you.element, this.points.element, this.spread.element, this.ranks.element);
    this.cols = h("div", { class: "cols wide" }, this.view, this.side);
    fill(
      into,
      h("header", { class: "top" }, this.logo, this.heading, this.modes, this.nav, this.account.element),
      this.banner, this.cols, this.card.element, this.sheet.element, toasts,
    );
    addEventListener("popstate", () => this.popped());
    // A friend may have accepted meanwhile.
    const look = () => void (placeOf(this.state) === "friends" && document.visibilityState === "visible" && this.friends.refresh());
    document.addEventListener("visibilitychange", look);
    setInterval(look, friendsAge);
    this.others.addEventListener("message", ({ data }) => this.panel.board.outdate(String(data)));
  }

  /** start requests the game and, at the same time, the board, if the address names one. */
  async start(): Promise<void> {
    const game = this.readGame();
    this.me = await this.session.player();
    this.meet(0);
    void this.account.update();
    this.apply();
    this.game = await game.catch(() => null);
    if (!this.game) await this.waitForGame();
    this.begin();
  }

  private async readGame(): Promise<Game> {
    return localized(await this.client.game(), this.format.locale);
  }

  // waitForGame requests the game until the API answers: without it the page has nothing to show.
  private async waitForGame(): Promise<void> {
    const text = h("p", {});
    const note = h("div", { "data-testid": "error", role: "alert", class: "picture-empty" }, drawing(drawings.plug, 96), text);
    this.cols.before(note);
    for (const part of [this.cols, this.modes]) show(part, false);
    for (let pause = 5_000; !this.game; pause = Math.min(2 * pause, 60_000)) {
      await new Promise<void>((go) => {
        const timer = setTimeout(go, pause);
        const again = () => (clearTimeout(timer), removeEventListener("online", again), go());
        addEventListener("online", again);
        say(text, navigator.onLine ? words.unreachable : words.offline(""));
        fill(note, note.firstChild, text, h("button", { type: "button", "data-testid": "retry", onclick: again }, words.retry));
      });
      this.game = await this.readGame().catch(() => null);
    }
    note.remove();
    show(this.cols, true);
  }

  private begin(): void {
    const { game } = this;
    if (!game) return;
    this.current ||= game.open_dates.at(-1)?.date ?? "";
    say(this.heading, this.gameName);
    say(this.logo, [...game.name][0] ?? "");
    fill(this.modes, ...game.modes.map((mode) => h("option", { value: mode.name }, mode.title)), game.features.includes("xp") && h("option", { value: "xp" }, words.xp));
    this.apply();
    this.panel.update(); // the board may have arrived before the game
    if (this.state.player) void this.openCard({ player: this.state.player });
  }

  private get gameName(): string {
    const { name } = this.game!;
    return name.charAt(0).toUpperCase() + name.slice(1);
  }

  private get canSignIn(): boolean {
    return !!(this.settings.local || this.settings.getToken);
  }

  private mode(name: string) {
    return this.game?.modes.find((mode) => mode.name === name);
  }

  // meet has the player's profile requested after some time, and what waits for a player who stays.
  private meet(after: number): void {
    clearTimeout(this.counting);
    this.you.me = null;
    this.own = null;
    if (this.me === null) return;
    if (!after) void this.profile();
    this.counting = setTimeout(() => {
      const { features = [] } = this.game ?? {};
      void this.profile();
      if (features.includes("friends")) void this.friends.load();
      if (features.includes("duels")) void this.duels.load();
    }, staysAfter);
  }

  // profile requests the player's profile, streak and level, once.
  private async profile(): Promise<Me | null> {
    const { me } = this;
    if (me === null) return null;
    this.own ??= this.client.me().catch(() => null);
    const own = await this.own;
    if (this.me === me && own !== this.you.me) this.know(own);
    return own;
  }

  private know(own: Me | null): void {
    this.you.me = own;
    this.panel.update();
  }

  private count(place: "friends" | "duels", n: number): void {
    const dot = this.counts[place];
    show(dot, n > 0);
    fill(dot, n > 0 && this.format.count(n), n > 0 && h("span", { class: "unseen" }, " " + this.format.plural(n, words.waiting)));
  }

  private hasPlace(place: Place): boolean {
    const { game } = this;
    return !game || place === "boards" || game.features.includes(place === "league" ? "leagues" : place);
  }

  // hasTab reports whether the game has the boards of a tab.
  private hasTab(tab: TabName): boolean {
    const { game } = this;
    const mode = this.mode(this.state.mode);
    if (tab === "country") return !mode || mode.scopes.includes("country") || mode.scopes.includes("region");
    if (tab === "group") return !mode || mode.scopes.includes("group");
    if (tab === "xp") return !game || game.features.includes("xp");
    return tab === "league" || tab === "friends" || tab === "duels" ? this.hasPlace(tab) : true;
  }

  // go changes the state and adds it to the history, so that going back undoes the change.
  private go(change: Partial<State>): void {
    if (this.leaving) return void this.leaving.push(() => this.go(change));
    Object.assign(this.state, change);
    this.settle();
    history.pushState(null, "", this.address());
    this.apply();
  }

  private turnMode(mode: string): void {
    if (mode === "xp") return this.go({ tab: "xp", date: null });
    this.go({ mode, date: null, ...(this.state.tab === "xp" ? { tab: "day" } : {}) });
  }

  private turnPeriod(period: Period): void {
    const { state } = this;
    if (isScoped(state)) return this.go({ period: period as State["period"], date: null });
    if (state.tab !== "xp") this.go({ tab: period as TabName, date: null });
  }

  private turnPlace(place: Place, event: MouseEvent): void {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    if (placeOf(this.state) === place) return scrollTo(0, 0);
    this.go({ tab: place === "boards" ? "day" : place, date: null, period: "day" });
    scrollTo(0, 0);
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
    else this.card.close();
    const { leaving } = this;
    this.leaving = null;
    for (const act of leaving ?? []) act();
  }

  // settle turns what the game does not have into what it has.
  private settle(): void {
    const { state, game } = this;
    if (!game) return;
    if (!this.mode(state.mode)) state.mode = game.modes[0]!.name;
    if (!this.hasTab(state.tab)) state.tab = "day";
    if (isRolling(periodOf(state)) && !this.isRolling()) Object.assign(state, isScoped(state) ? { period: "day" } : { tab: "day" });
    if (state.date && this.current && state.date > this.current) state.date = null;
  }

  // apply makes the whole page show the state.
  private apply(): void {
    const { state, game, panel } = this;
    this.settle();
    const place = placeOf(state);
    for (const [name, link] of Object.entries(this.places) as [Place, HTMLAnchorElement][]) {
      if (name === place) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
      link.href = location.pathname + "?" + write({ ...state, player: "", date: null, tab: name === "boards" ? "day" : name });
    }
    const links = (Object.keys(this.places) as Place[]).filter((name) => this.hasPlace(name)).map((name) => this.places[name]);
    if (links.length !== this.nav.childElementCount) fill(this.nav, ...links);
    const hasBoard = place === "boards" || place === "friends";
    const mode = this.mode(state.mode);
    this.cols.classList.toggle("wide", hasBoard);
    this.cols.dataset.place = place;
    show(this.tools, hasBoard);
    show(this.modes, hasBoard);
    this.modes.value = state.tab === "xp" ? "xp" : state.mode;
    this.choosePeriod();
    const offered: Whose[] = state.tab === "xp" || place !== "boards" ? ["everyone"] : (["everyone", "country", "group"] as const).filter((whose) => whose === "everyone" || this.hasTab(whose));
    this.scopes.update(state, game, mode, panel.board.own?.country, offered);
    const isSignedIn = this.me !== null;
    const missing = this.missing();
    const prompt = missing || (place === "duels" && !isSignedIn ? words.signInDuels : "");
    show(this.missed, !!prompt);
    say(this.prompt, prompt);
    show(this.missed.lastElementChild as HTMLElement, !isSignedIn && !!this.account.signIn);
    this.enter(place, isSignedIn);
    const isLeague = place === "league";
    this.league.update(isLeague && !missing, game?.leagues?.tiers ?? []);
    show(panel.element, !missing && !isLeague);
    this.offer();
    const isModal = !isModeless(state);
    const isOpen = !!mode && !mode.authoritative && !mode.computed && isSignedIn && !state.date && isModal;
    this.play.update(this.settings.local && isOpen ? mode : null);
    this.typing.update(this.settings.local && isModal ? (mode ?? null) : null);
    const query = missing || isLeague || (!state.mode && isModal) ? null : this.query();
    if (!query) show(this.you.element, false);
    if (!game && !query && hasBoard) panel.table.update({ caption: "", entries: null, own: null, me: null, reserved: 10, around: [] });
    if (JSON.stringify(query) !== JSON.stringify(panel.board.query)) panel.board.show(query);
    else panel.update();
    this.spread.update(panel.board);
    this.points.update(isModal && place === "boards" && mode ? mode : null);
    this.ranks.update(isSignedIn && query && isModal && place === "boards" && game?.features.includes("history") ? state.mode : "");
    if (game) document.title = `${place !== "boards" ? words[place] : state.tab === "xp" ? words.xp : (mode?.title ?? "")} · ${this.gameName}`;
  }

  // enter shows what a place has besides a board.
  private enter(place: Place, isSignedIn: boolean): void {
    show(this.friends.top, place === "friends" && isSignedIn);
    show(this.friends.element, place === "friends" && isSignedIn);
    show(this.duels.element, place === "duels" && isSignedIn);
    show(this.ratings, place === "duels");
    if (place === "friends" && isSignedIn && this.game) void this.friends.load();
    if (place === "duels" && isSignedIn && this.game) void this.duels.load();
    if (place === "boards" || place === "friends") {
      this.view.setAttribute("role", "tabpanel");
      this.view.removeAttribute("aria-label");
    } else {
      this.view.setAttribute("role", "region");
      this.view.removeAttribute("aria-labelledby");
      this.view.setAttribute("aria-label", words[place]);
    }
  }

  // isRolling reports whether the board that is shown can be of the last 7 and 30 days. Friends
  // and groups are not ranked so.
  private isRolling(): boolean {
    const { state } = this;
    const mode = this.mode(state.mode);
    return !!mode?.rolling && !isModeless(state) && state.tab !== "friends" && scopeOf(state, mode) !== "groups";
  }

  // choosePeriod shows the choice of periods. A board that has one period has no choice.
  private choosePeriod(): void {
    const period = periodOf(this.state);
    const names = this.state.tab === "xp" ? ["alltime"] : this.isRolling() ? rollingNames : periodNames;
    const list: Tab[] = names.map((name) => ({ name, title: words[name as "day"] }));
    if (list.length !== this.tabs.element.childElementCount) this.tabs.list(list);
    this.tabs.select(period);
    const current = this.current || new Date().toISOString().slice(0, 10);
    this.picker.update(period, this.state.date ?? current, current);
  }

  // missing says what the player has to do before the page can show a board; "" if nothing.
  private missing(): string {
    const { state } = this;
    if (state.tab === "friends" && this.me === null) return words.signInFriends;
    if (state.tab === "league" && this.me === null) return words.signInLeague;
    return scopeOf(state, this.mode(state.mode)) === null ? words.enterGroup : "";
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

  private titleOf(query: Query): string {
    return this.mode(query.mode)?.title ?? (query.mode === "duels" ? words.duels : query.mode === "xp" ? words.xp : query.mode);
  }

  private when(query: Query): string {
    if (isRolling(query.period)) return words[query.period];
    const page = this.panel.board.page;
    const date = query.date ?? (page && page.period === query.period ? dateOf(query.period, page.key) : this.current || null);
    return date && query.period !== "alltime" ? title(query.period, date, this.format) : words.alltime;
  }

  private now(period: Period): string {
    return ({ day: words.today, week: words.thisWeek, month: words.thisMonth } as Record<string, string>)[period] ?? "";
  }

  private caption(query: Query): string {
    const { state } = this;
    const who = query.friends ? words.friends : query.scope === "groups" ? words.groups : state.tab === "group" ? state.group : query.scope && nameOfPlace(state, this.format);
    return series([this.titleOf(query), who, this.when(query)], this.format);
  }

  // drawEmpty is the picture of an empty or unreachable board, with what one can do.
  private drawEmpty(isEmpty: boolean): HTMLElement {
    const { board } = this.panel;
    const { page, query, error } = board;
    const kind = isEmpty && query?.friends ? "" : isEmpty ? (page!.closed || query!.date ? "calendar" : "stand") : error && !page ? (error.code === "maintenance" ? "tools" : error.status === 429 ? "clock" : "plug") : "";
    show(this.empty, !!kind);
    // What is wrong stands under the picture, if there is one, else above the board.
    const wrong = this.panel.element.querySelector("[data-testid=error]")!;
    if ((!kind || isEmpty) && wrong.parentElement === this.empty) this.panel.element.prepend(wrong);
    const key = kind + (this.me === null) + this.play.element.hidden;
    if (!kind || this.empty.dataset.shows === key) return this.empty;
    this.empty.dataset.shows = key;
    const start = kind !== "stand" ? undefined : this.me === null ? this.account.signIn : !this.play.element.hidden ? () => this.play.element.querySelector("input")?.focus() : undefined;
    fill(this.empty, drawing(drawings[kind as keyof typeof drawings], 96), !!start && h("button", { type: "button", class: "primary", onclick: start }, query?.period === "day" ? words.beFirst : words.firstHere));
    if (!isEmpty) this.empty.firstChild!.after(wrong);
    return this.empty;
  }

  // shown is called after each change of the board.
  private shown(): void {
    const { page, own, query } = this.panel.board;
    this.panel.table.element.classList.toggle("valued", !!query && typeof placesOf(this.mode(query.mode)) === "object");
    this.spread.update(this.panel.board);
    show(this.share, !!own?.rank && query?.period === "day" && !query.scope && !query.friends);
    if (query?.mode === "duels" && own) {
      this.you.rating = own.score === null ? null : Math.round(own.score);
      this.duels.rated(own.score === null ? "" : words.ratingIs(this.format.count(Math.round(own.score))));
    }
    if (!page || query?.date || page.period !== "day" || page.key === this.current) return;
    const before = this.current;
    this.current = page.key;
    this.choosePeriod();
    if (before) this.ranks.forget();
    if (before && this.game) void this.readGame().then((game) => (this.game = game), () => {}); // a new day has begun, with other open dates
  }

  private async identify(): Promise<void> {
    this.me = await this.session.player();
    this.renew();
    this.meet(staysAfter);
    this.friends.reset();
    this.duels.reset();
    this.league.reset();
    this.badges.forget();
    this.ranks.forget();
    this.you.rating = null;
    this.card.close();
    this.panel.board.forget(this.me);
    void this.account.update();
    this.apply();
  }

  private played(result: Result, details: unknown): void {
    const before = this.panel.board.own?.rank ?? null;
    if (this.own) {
      this.own = null; // the streak and the level may be others now
      this.meet(staysAfter);
    }
    this.panel.board.played(result, result.status === "kept" ? undefined : details);
    this.others.postMessage(result.mode);
    if (result.status === "kept" || result.status === "replayed") return;
    const score = this.format.scores(result, placesOf(this.mode(result.mode))).map(([name, text]) => `${text} ${name}`.trim()).join(" · ");
    celebrate({ result, before, score, acts: [
      button([words.share, () => this.shareResult()], "primary"),
      ...(this.hasPlace("duels") ? [button([words.challenge, async () => this.go({ tab: "duels", date: null })])] : []),
    ] }, this.format);
  }

  // choose opens the card of the row's player; on a board of groups it opens the group's board.
  private choose(entry: Entry): void {
    if (this.panel.board.query?.scope === "groups") this.go({ group: entry.player });
    else this.pushCard(entry);
  }

  private pushCard(entry: Known): void {
    if (this.leaving) return void this.leaving.push(() => this.pushCard(entry));
    this.state.player = entry.player;
    history.pushState(null, "", this.address());
    this.pushed = true;
    void this.openCard(entry);
  }

  private async openCard(known: Known, query = this.panel.board.query): Promise<void> {
    query ??= { mode: this.state.mode || this.game?.modes[0]?.name || "", period: "day", limit: pageSize };
    if (query.friends) query = { ...query, friends: undefined };
    const isMe = known.player === this.me;
    if (isMe) await this.profile();
    const rules = this.game?.badges ?? [];
    const badges = this.game?.features.includes("badges") && this.badges.of(known.player, rules, isMe ? this.you.me : null);
    const line = words.inMode(this.titleOf(query), query.date ? this.when(query) : this.now(query.period) || this.when(query));
    const { streak, level } = (isMe && this.you.me) || {};
    const facts: [string, string][] = [];
    if (streak) facts.push([words.streak, `🔥 ${this.format.count(streak.current)}`]);
    if (level !== undefined) facts.push([words.level, this.format.count(level)]);
    await this.card.open(known, query, isMe, line, facts, [...(badges ? [badges] : []), ...(isMe ? [this.ranks.element] : []), this.actions(known, isMe)]);
  }

  // actions are the buttons of a card: the one that fits best, and a menu of the others.
  private actions(known: Known, isMe: boolean): Node {
    const { features = [] } = this.game ?? {};
    const { player } = known;
    const main: Act[] = [], more: Act[] = [];
    if (isMe) {
      if (!this.share.hidden) main.push([words.share, async () => (this.card.close(), this.shareResult())]);
      more.push([words.editName, async () => this.editName()], [words.myData, () => this.download()]);
    } else if (this.me !== null) {
      const challenge: Act = [words.challenge, () => this.duels.challenge(player)];
      if (features.includes("friends")) {
        if (!this.friends.isFriend(player)) main.push([this.friends.hasAsked(player) ? words.acceptFriend : words.addFriend, () => this.friends.ask(player)]);
        more.push([words.block, async () => (this.card.close(), this.friends.block(player))]);
      }
      if (features.includes("duels")) main.push(challenge);
    }
    return h("div", { class: "actions" }, ...main.map((act, i) => button(act, i ? "" : "primary")), menu(more, true) || null);
  }

  private editName(): void {
    const name = h("input", { "aria-label": words.yourName, "data-testid": "new-name", maxlength: 80, required: true, value: this.you.me?.profile.name ?? this.session.name ?? "" });
    const go = h("button", { class: "primary" }, words.save);
    const form = h("form", { class: "rowish actions", onsubmit: (event: SubmitEvent) => {
      event.preventDefault();
      void attempt(async () => {
        await this.client.updateMe({ name: name.value.trim() });
        form.remove();
        this.panel.board.retry();
        return words.nameSaved;
      }, go);
    } }, name, go);
    this.card.element.append(form);
    this.card.element.addEventListener("close", () => form.remove(), { once: true });
    name.focus();
  }

  private async download(): Promise<void> {
    const parts: unknown[] = [];
    for (let cursor: string | null | undefined; ; ) {
      const part = (await this.client.exportMe(cursor ? ({ cursor } as never) : undefined)) as { next?: string | null };
      parts.push(part);
      cursor = part.next;
      if (!cursor) break;
    }
    save(new File([JSON.stringify(parts, null, 1)], "my-data.json", { type: "application/json" }));
  }

  private cardClosed(): void {
    this.side.append(this.ranks.element); // the own card had it
    if (!this.state.player) return;
    this.state.player = "";
    if (this.pushed) {
      this.leaving = [];
      history.back(); // ends in popped
    } else history.replaceState(null, "", this.address());
    this.pushed = false;
  }

  // offer asks the player to accept the invite or the challenge of the link that led here.
  private offer(): void {
    const { invite, duel } = this.state;
    const of = invite + " " + duel + " " + this.me;
    show(this.banner, !!(invite || duel));
    if ((!invite && !duel) || this.banner.dataset.of === of) return;
    this.banner.dataset.of = of;
    const text = h("p", {}, invite ? words.inviteOfferAnybody : words.duelOfferAnybody);
    if (this.me === null) {
      const { signIn } = this.account;
      text.append(" " + words.signInToAccept);
      return fill(this.banner, text, !!signIn && h("button", { type: "button", class: "primary", onclick: signIn }, words.signIn));
    }
    const done = () => {
      this.state.invite = this.state.duel = "";
      history.replaceState(null, "", this.address());
      this.offer();
    };
    const accept = async () => {
      const answer = await (invite ? this.friends.accept(invite) : this.duels.accept(duel));
      done();
      return answer;
    };
    fill(this.banner, text, button([words.accept, accept], "primary"), button([words.decline, async () => done()]));
    void this.introduce(invite, duel, text, done);
  }

  // introduce says who invites or challenges the player. An invite that cannot be accepted is not
  // offered any more.
  private async introduce(invite: string, duel: string, text: HTMLElement, done: () => void): Promise<void> {
    let person: Person;
    try {
      if (invite) person = await this.client.invite(invite);
      else {
        const { players: [challenger], people = [] } = await this.client.duel(duel);
        if (!challenger || challenger === this.me) return;
        person = people.find(({ player }) => player === challenger) ?? { player: challenger };
      }
    } catch (error) {
      if ((error as { status?: number }).status !== 404 || !text.isConnected) return;
      done();
      return toast(reasonOf(error));
    }
    say(text, (invite ? words.inviteOffer : words.duelOffer)(nameOf(person)));
    text.before(face(person));
    text.after(button([words.seePlayer, async () => this.pushCard(person)]));
  }

  private async shareResult(): Promise<void> {
    const { own, page, query } = this.panel.board;
    if (!own?.rank || !page || !query) return;
    const { rank } = own;
    try {
      const me = await this.profile();
      let { details } = own;
      if (details === undefined && this.mode(query.mode)?.details) {
        // Without the grid there is still a rank to share.
        const card = await this.client.card(query.mode, "me", { period: "day", date: query.date } as never).catch(() => null);
        if (card) this.panel.board.learn(card);
        details = card?.details;
      }
      const { format } = this;
      const total = Math.max(page.total, rank);
      const streak = me?.streak?.current ?? 0;
      const mode = this.mode(query.mode)?.title ?? query.mode;
      const when = title("day", page.key, format);
      const text = shareText({
        game: this.gameName, mode, when, rank, total: page.total, streak, details,
        link: `${location.origin}${location.pathname}?${write({ ...this.state, player: "", date: page.key })}`,
      }, format);
      const poster: Poster = {
        game: this.gameName, mode, when, rank: words.rankSign(format.count(rank)), of: words.ofPlayers(format.count(total), words.top(format.percent(Math.max((100 * rank) / total, 0.1)))),
        name: nameOf({ ...own, name: own.name ?? me?.profile.name }), grid: gridOf(details), streak: streak > 1 ? format.plural(streak, words.streakIs) : "",
      };
      await this.sheet.open(text, poster);
    } catch (error) {
      toast(reasonOf(error));
    }
  }

  // isAbsent reports whether the player's profile, which has today's ranks, shows that the player
  // is not on today's board of everybody.
  private async isAbsent({ period, date, scope, friends, mode }: Query): Promise<boolean> {
    if (period !== "day" || date || scope || friends) return false;
    const own = this.own && (await this.own);
    return !!own && !own.today.some((entry) => entry.mode === mode);
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

