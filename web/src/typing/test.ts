// One test, without opponents: it takes a play, the player types the text, the recorded keys
// are sent as the proof, and the server answers the score.
import type { Client, KeystrokesProof } from "../../../sdk/js/src/index.ts";
import { startPlay, submitPlay, type Started } from "../../../sdk/js/src/plays.ts";
import type { ClientOptions } from "../../../sdk/js/src/transport.ts";
import { fill, h, say } from "../parts/dom.ts";
import type { Format } from "../parts/format.ts";
import { Desk, type Challenge } from "./desk.ts";
import { shown, type Outcome } from "./result.ts";
import { reasonOf, standingOf, words } from "./words.ts";

export class Test {
  private readonly button = h("button", { type: "button", "data-testid": "start", class: "primary", disabled: true, onclick: () => void this.begin() }, words.start);
  private readonly said = h("span", { role: "status", class: "said", "data-testid": "said" }, words.signInToSave);
  private readonly result = h("div", { "data-testid": "result" });
  private readonly desk = new Desk({ finished: (proof) => void this.send(proof) });
  readonly element = h("section", { class: "desk box", "aria-label": words.test }, h("div", { class: "rowish" }, this.button, this.said), this.desk.element, this.result);
  private mode = "";
  private unavailable = false; // no result of the mode counts here
  private player: string | null = null;
  private play: Started | null = null;

  constructor(
    private readonly client: Client,
    private readonly options: ClientOptions,
    private readonly format: Format,
    private readonly played: (result: Outcome) => void,
  ) {}

  update(player: string | null): void {
    this.player = player;
    this.button.disabled = this.unavailable || !player;
    say(this.said, this.unavailable ? words.unavailable : player ? words.timer : words.signInToSave);
  }

  turn(mode: string, unavailable = false): void {
    this.mode = mode;
    this.unavailable = unavailable;
    this.desk.stop();
    fill(this.result);
    this.update(this.player);
  }

  private async begin(): Promise<void> {
    this.button.disabled = true;
    fill(this.result);
    try {
      this.play = await startPlay(this.options, this.mode);
      this.desk.load(this.play.challenge as Challenge);
      this.desk.open();
      say(this.said, words.timer);
    } catch (error) {
      say(this.said, reasonOf(error));
    } finally {
      this.button.disabled = false;
    }
  }

  private async send(proof: KeystrokesProof): Promise<void> {
    say(this.said, words.sending);
    try {
      const result = await submitPlay(this.client, this.play!, { proof });
      say(this.said, standingOf(result.status));
      fill(this.result, shown(result, this.format), this.desk.graph());
      this.played(result);
    } catch (error) {
      say(this.said, words.notCounted(reasonOf(error)));
    }
  }
}
