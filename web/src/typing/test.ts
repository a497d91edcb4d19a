// One test alone: a play is asked for, its text typed, what the keys did sent as the
// proof, and the server says what it was.
import type { Client, Result } from "../../../sdk/js/src/index.ts";
import type { Play, Plays, Proof } from "../../../sdk/js/src/plays.ts";
import { fill, h, say } from "../parts/dom.ts";
import type { Format } from "../parts/format.ts";
import { Desk } from "./desk.ts";
import { shown } from "./result.ts";
import { reasonOf, words } from "./words.ts";

export class Test {
  private readonly button = h("button", { type: "button", "data-testid": "start", disabled: true, onclick: () => void this.begin() }, "Start");
  private readonly said = h("span", { role: "status", class: "said", "data-testid": "said" }, words.signIn);
  private readonly result = h("div", { "data-testid": "result" });
  private readonly desk = new Desk({ finished: (proof) => void this.send(proof) });
  readonly element = h("section", { class: "desk", "aria-label": "Test" }, h("div", { class: "bar" }, this.button, this.said), this.desk.element, this.result);
  private mode = "";
  private player: string | null = null;
  private play: Play | null = null;

  constructor(
    private readonly client: Client,
    private readonly plays: Plays,
    private readonly format: Format,
    private readonly played: (result: Result) => void,
  ) {}

  update(player: string | null): void {
    this.player = player;
    this.button.disabled = !player;
    say(this.said, player ? words.idle : words.signIn);
  }

  turn(mode: string): void {
    this.mode = mode;
    this.desk.stop();
    fill(this.result);
    this.update(this.player);
  }

  private async begin(): Promise<void> {
    this.button.disabled = true;
    fill(this.result);
    try {
      this.play = await this.plays.start(this.mode);
      this.desk.load(this.play.challenge as { text: string; seconds: number });
      this.desk.open();
      say(this.said, words.idle);
    } catch (error) {
      say(this.said, reasonOf(error));
    } finally {
      this.button.disabled = false;
    }
  }

  private async send(proof: Proof): Promise<void> {
    const { mode, play } = this;
    say(this.said, words.sending);
    try {
      const result = (await this.client.submit({ mode, play: play!.play, proof } as never)) as Result;
      say(this.said, words.standing[result.status] ?? "");
      fill(this.result, shown(result, this.format));
      this.played(result);
    } catch (error) {
      say(this.said, words.refused(reasonOf(error)));
    }
  }
}
