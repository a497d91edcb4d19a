// The player's duels. The list sends no request before the player opens it.
import type { Client, Duel } from "../../../sdk/js/src/index.ts";
import { fill, h } from "../parts/dom.ts";
import type { Format } from "../parts/format.ts";
import { copy } from "../parts/share.ts";
import { attempt, buttons, type Act } from "./people.ts";

export class DuelsList {
  readonly element: HTMLDetailsElement;
  private readonly said = h("p", { role: "status", class: "said", "data-testid": "duels-said" });
  private readonly list = h("ul", { "data-testid": "duels" });
  private asked = false;
  private waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly client: Client,
    private readonly format: Format,
    private readonly me: () => string | null,
    private readonly changed: () => void,
    private readonly link: (invite: string) => string,
  ) {
    const id = h("input", { "data-testid": "duel-opponent", "aria-label": "A player's id", placeholder: "A player's id", autocomplete: "off", required: true, maxlength: 128 });
    const go = h("button", { "data-testid": "duel-ask" }, "Challenge");
    const ask = (event: SubmitEvent) => {
      event.preventDefault();
      void attempt(() => this.challenge(id.value.trim()), this.said, go).then((done) => done && (id.value = ""));
    };
    this.element = h(
      "details",
      { class: "lists", "data-testid": "duels-lists", ontoggle: () => this.element.open && !this.asked && void this.load() },
      h("summary", {}, "Your duels"),
      h("form", { onsubmit: ask }, id, go),
      h("p", { class: "row" }, ...buttons([["Challenge by a link", () => this.open()], ["Find an opponent", () => this.queue()], ["Stop looking", () => this.leave()]], this.said)),
      this.said,
      this.list,
    );
  }

  /** reset forgets the duels of the player who has signed out. */
  reset(): void {
    clearTimeout(this.waiting);
    this.asked = false;
    fill(this.list);
    this.element.open = false;
  }

  async challenge(opponent: string): Promise<string> {
    await this.client.createDuel({ opponent });
    if (this.asked) await this.load();
    return "Challenged.";
  }

  /** accept accepts the challenge of a link. */
  async accept(id: string): Promise<string> {
    await this.client.acceptDuel(id);
    if (this.asked) await this.load();
    return "The duel is on.";
  }

  private async open(): Promise<string> {
    const { invite } = await this.client.createDuel();
    await this.load();
    const link = this.link(invite ?? "");
    return (await copy(link)) ? "The link is copied. Whoever brings it first plays." : link;
  }

  // queue asks for an opponent, and asks again every poll_after seconds until it gets a duel.
  private async queue(): Promise<string> {
    clearTimeout(this.waiting);
    const answer = await this.client.queueDuel();
    if (answer.status !== "queued") {
      await this.load();
      return "There is one: the duel is on.";
    }
    const pause = ("poll_after" in answer && answer.poll_after) || 5;
    this.waiting = setTimeout(() => void attempt(() => this.queue(), this.said), pause * 1000);
    return "Looking for an opponent …";
  }

  private async leave(): Promise<string> {
    clearTimeout(this.waiting);
    await this.client.leaveDuelQueue();
    return "Not looking any more.";
  }

  private async load(): Promise<void> {
    this.asked = true;
    const done = await attempt(async () => {
      const { duels } = await this.client.duels();
      fill(this.list, ...(duels.length ? duels.map((duel) => this.row(duel)) : [h("li", {}, "No duels yet.")]));
    }, this.said);
    if (!done) this.asked = false;
  }

  private row(duel: Duel): Node {
    const me = this.me() ?? "";
    const other = duel.players.find((player) => player !== me) ?? (duel.opponent !== me ? duel.opponent : undefined);
    const acts: Act[] = [];
    const then = (act: () => Promise<unknown>) => async () => {
      await act();
      this.changed();
      await this.load();
    };
    const isMine = duel.players.includes(me);
    if (duel.status === "waiting" && !isMine) acts.push(["Accept", then(() => this.client.acceptDuel(duel.id))]);
    if (duel.status === "ready" && isMine && other && !duel.reported?.includes(me)) {
      acts.push(["I won", then(() => this.client.duelResult(duel.id, { winner: me }))]);
      acts.push(["I lost", then(() => this.client.duelResult(duel.id, { winner: other }))]);
      acts.push(["A draw", then(() => this.client.duelResult(duel.id, { winner: null }))]);
    }
    if ((duel.status === "decided" || duel.status === "expired") && other) acts.push(["Rematch", then(() => this.client.rematch(duel.id))]);
    return h(
      "li",
      { "data-duel": duel.id, "data-status": duel.status },
      h("span", { class: "name" }, h("bdi", {}, other ?? "Whoever brings the link"), " · ", this.status(duel, me)),
      ...buttons(acts, this.said),
    );
  }

  private status(duel: Duel, me: string): string {
    const rating = duel.ratings?.[me];
    const after = rating ? ` · rating ${this.format.count(Math.round(rating.after))}` : "";
    switch (duel.status) {
      case "waiting":
        return "waits";
      case "ready":
        return duel.reported?.includes(me) ? "waits for the other's word" : "on";
      case "decided":
        return (duel.winner === null ? "drawn" : duel.winner === me ? "won" : "lost") + after;
      default:
        return duel.status;
    }
  }
}
