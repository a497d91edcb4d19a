// The typing game: a text, a clock, a board beside it, and races. It is the example of a
// frontend: it uses only the public API.
import { createClient } from "../../../sdk/js/src/client.ts";
import type { Game, Result } from "../../../sdk/js/src/index.ts";
import { follow } from "../parts/follow.ts";
import { Account } from "../page/account.ts";
import { greet } from "../page/greet.ts";
import { drawing, symbols } from "../page/pictures.ts";
import { Session } from "../page/session.ts";
import type { Settings } from "../page/settings.ts";
import { style as pageStyle } from "../page/style.ts";
import { fill, h, say, show } from "../parts/dom.ts";
import { Format, localeOf } from "../parts/format.ts";
import { localized } from "../parts/titles.ts";
import { CardDialog, dialogs } from "../parts/card.ts";
import { Panel } from "../parts/panel.ts";
import { parts, sheet } from "../parts/styles.ts";
import tokens from "../parts/tokens.css";
import { Tabs } from "../parts/tabs.ts";
import { Race } from "./race.ts";
import type { Outcome } from "./result.ts";
import { Test } from "./test.ts";
import { style } from "./style.ts";
import { reasonOf, words } from "./words.ts";

type Mode = Game["modes"][number];

class Typing {
  private readonly settings: Settings = window.framedle ?? {};
  private readonly into = this.settings.into ?? document.getElementById("main")!;
  private readonly format = new Format(localeOf(this.into));
  private readonly session = new Session(this.settings, () => location.reload());
  private readonly options = { baseUrl: this.settings.api ?? "", getToken: this.session.token };
  private readonly client = createClient(this.options);
  private readonly account = new Account(this.settings, this.session);
  private readonly boards = h("a", { href: "../../", "data-testid": "to-boards", title: words.boards }, drawing(symbols.boards), h("span", {}, words.boards));
  private readonly problem = h("p", { role: "alert", class: "banner", hidden: true, "data-testid": "problem" });
  private readonly view = h("section", { id: "view", role: "tabpanel" });
  private readonly tabs = new Tabs(words.testLength, this.view, (name) => this.turn(name));
  private readonly test = new Test(this.client, this.options, this.format, (result) => this.played(result));
  private readonly race = new Race(this.client, this.options, this.format, (mode) => this.turn(mode), (result) => this.played(result), () => this.account.signIn?.());
  private readonly panel: Panel;
  private readonly card = new CardDialog(this.client, this.format, false);
  private modes: Mode[] = [];

  constructor() {
    this.panel = new Panel({
      client: this.client, format: this.format, who: this.session.player, pictures: false, refresh: 5, stream: follow(this.options),
      caption: ({ mode }) => this.find(mode)?.title ?? mode,
      decimals: ({ mode }) => Object.fromEntries(this.find(mode)?.values?.map(({ name, decimals }) => [name, decimals]) ?? []),
      signedOut: () => words.signInToSave,
      shown: ({ table }) => table.element.classList.add("valued"),
      chosen: (entry) => void this.card.open(entry, this.panel.board.query!, entry.player === this.panel.board.me),
    });
  }

  async start(): Promise<void> {
    this.into.classList.add("lb", "typing");
    fill(this.into, h("header", { class: "top" }, h("h1", {}, words.typing), h("nav", { class: "places" }, this.boards), this.account.element), this.account.strip, this.problem, this.tabs.element, this.view);
    fill(this.view, h("div", { class: "sides" }, h("div", {}, this.race.offer, this.test.element, this.race.element), h("div", { class: "box" }, this.panel.element)), this.card.element);
    await this.account.update();
    let races = false;
    try {
      const game = localized(await this.client.game(), this.format.locale);
      this.modes = game.modes.filter((mode) => mode.play?.proof === "keystrokes");
      races = game.features.includes("races");
    } catch (error) {
      return this.say(reasonOf(error));
    }
    if (!this.modes.length) return this.say(words.noTyping);
    this.tabs.list(this.modes.map(({ name, title }) => ({ name, title })));
    const player = await this.session.player();
    const { searchParams } = new URL(location.href);
    const asked = searchParams.get("mode");
    this.turn((this.find(asked) ?? this.modes[0]!).name);
    this.test.update(player);
    if (races) await this.race.update(player, searchParams.get("race"));
  }

  private find(mode: string | null): Mode | undefined {
    return this.modes.find(({ name }) => name === mode);
  }

  private played(result: Outcome): void {
    if ("rank" in result) this.panel.board.played(result as Result);
  }

  private turn(mode: string): void {
    this.tabs.select(mode);
    this.boards.href = "../../?" + new URLSearchParams({ mode });
    this.test.turn(mode, !!this.find(mode)?.unavailable);
    this.race.turn(mode, !!this.find(mode)?.unavailable);
    this.panel.board.show({ mode, period: "day", limit: 10 });
  }

  private say(text: string): void {
    say(this.problem, text);
    show(this.problem, true);
  }
}

document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet(tokens + parts + dialogs + pageStyle + style)];
await greet(window.framedle ?? {}, "../../locales/typing/");
void new Typing().start();
