// A race. A player makes it; others join by a link or from the queue. The server sets the
// moment of the start, each page counts down to it, and the race ends when all results are in.
import type { Client, KeystrokesProof } from "../../../sdk/js/src/index.ts";
import { submitPlay, type Started } from "../../../sdk/js/src/plays.ts";
import { races, startsIn, type Race as Known, type Races } from "../../../sdk/js/src/races.ts";
import type { ClientOptions } from "../../../sdk/js/src/transport.ts";
import { fill, h, say, show } from "../parts/dom.ts";
import type { Format } from "../parts/format.ts";
import { Desk, type Challenge } from "./desk.ts";
import { shown, type Outcome } from "./result.ts";
import { reasonOf, words } from "./words.ts";

const askEvery = 1000; // ms
const tellEvery = 500; // ms

const isOver = (race: Known) => race.state === "decided" || race.state === "expired";

export class Race {
  private readonly count = h("select", { "aria-label": "Players", "data-testid": "racers" }, ...[2, 3, 4, 5].map((n) => h("option", { value: n }, `${n} players`)));
  private readonly make = h("button", { type: "button", "data-testid": "race", onclick: () => void this.begin(() => this.races.make({ mode: this.mode, players: Number(this.count.value), invite: true })) }, "Race friends");
  private readonly queue = h("button", { type: "button", "data-testid": "race-queue", onclick: () => void this.begin(() => this.races.queue(this.mode)) }, "Race anybody");
  private readonly leave = h("button", { type: "button", "data-testid": "race-leave", onclick: () => void this.give() }, "Leave");
  private readonly offer = h("p", { class: "bar", hidden: true, "data-testid": "race-offer" });
  private readonly said = h("span", { role: "status", class: "said", "data-testid": "race-said" });
  private readonly link = h("a", { "data-testid": "race-link", hidden: true });
  private readonly racers = h("ol", { class: "racers", "aria-label": "Racers" });
  private readonly result = h("div");
  private readonly desk = new Desk({ finished: (proof) => void this.send(proof), progressed: (share) => this.progress(share) });
  private readonly bar = h("div", { class: "bar" }, this.count, this.make, this.queue);
  private readonly track = h("div", { hidden: true }, h("div", { class: "bar" }, this.said, this.link, this.leave), this.racers, this.desk.element, this.result);
  readonly element = h("section", { class: "desk", "aria-label": "Race", hidden: true }, this.offer, this.bar, this.track);
  private readonly races: Races;
  private mode = "";
  private player: string | null = null;
  private race: Known | null = null;
  private play: Started | null = null; // the player's own play in the race
  private told = 0;
  private asking: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly client: Client,
    options: ClientOptions,
    private readonly format: Format,
    private readonly moved: (mode: string) => void,
    private readonly played: (result: Outcome) => void,
  ) {
    this.races = races(options);
  }

  /** update sets the player, and shows the race of a link. Whoever has no seat in it is asked first: anybody can send a link. */
  async update(player: string | null, link: string | null): Promise<void> {
    this.player = player;
    show(this.element, player !== null);
    if (!player || !link) return;
    const race = await this.races.race(link).catch(() => null);
    if (race?.players.some((seat) => seat.player === player)) return this.begin(async () => race);
    fill(this.offer, "You have been invited to a race. It counts for your rating.",
      h("button", { type: "button", "data-testid": "race-join", onclick: () => void this.begin(() => this.races.join(link)) }, "Join race"),
      h("button", { type: "button", "data-testid": "race-decline", onclick: () => show(this.offer, false) }, "No, thanks"));
    show(this.offer, true);
  }

  turn(mode: string): void {
    this.mode = mode;
  }

  private async begin(enter: () => Promise<Known>): Promise<void> {
    this.make.disabled = this.queue.disabled = true;
    show(this.offer, false);
    try {
      const race = await enter();
      this.play = null;
      fill(this.result);
      show(this.track, true);
      show(this.bar, false);
      if (race.mode !== this.mode) this.moved(race.mode);
      this.follow(race);
    } catch (error) {
      show(this.track, true);
      say(this.said, reasonOf(error));
    } finally {
      this.make.disabled = this.queue.disabled = false;
    }
  }

  // follow shows a race, and requests it every second until it is over. Deployments with live
  // boards have a stream for this; a second of delay does no harm here, since all players know
  // the moment of the start beforehand.
  private follow(race: Known): void {
    const before = this.race;
    this.race = race;
    this.draw(race);
    if (race.play && race.challenge && this.play === null) this.ready(race);
    if (isOver(race)) {
      if (before && !isOver(before)) this.desk.stop();
      show(this.bar, true);
      return;
    }
    clearTimeout(this.asking);
    this.asking = setTimeout(() => void this.ask(race.id), askEvery);
  }

  private async ask(id: string): Promise<void> {
    try {
      const race = await this.races.race(id);
      if (this.race?.id === id) this.follow(race);
    } catch (error) {
      say(this.said, reasonOf(error));
      if (this.race?.id === id) this.asking = setTimeout(() => void this.ask(id), 2 * askEvery);
    }
  }

  private ready(race: Known): void {
    const startedAt = performance.now() + startsIn(race)!;
    this.play = { mode: race.mode, play: race.play!, startedAt } as Started;
    this.desk.load(race.challenge as Challenge);
    const left = () => startedAt - performance.now();
    const count = () => {
      if (this.race?.id !== race.id || isOver(this.race)) return;
      if (left() > 0) {
        say(this.said, `${Math.ceil(left() / 1000)}…`);
        setTimeout(count, Math.min(200, left()));
        return;
      }
      say(this.said, "Go!");
      this.desk.open(true);
    };
    count();
  }

  private draw(race: Known): void {
    const over = isOver(race);
    const waits = race.state === "waiting";
    if (waits) say(this.said, `${race.players.length} of ${race.size} are here.`);
    else if (race.state === "expired") say(this.said, "Nobody else came, or nobody finished.");
    else if (over) say(this.said, "The race is over.");
    const address = new URL(location.pathname, location.href);
    address.search = new URLSearchParams({ mode: race.mode, race: race.id }).toString();
    this.link.href = address.href;
    say(this.link, "Link for others");
    show(this.link, waits);
    show(this.leave, !over);
    const seats = over ? [...race.players].sort((a, b) => (a.place ?? 9) - (b.place ?? 9)) : race.players;
    fill(this.racers, ...seats.map((seat) => {
      const share = seat.finished ? 1 : seat.progress;
      const [, ...name] = seat.player.split("_");
      const gained = seat.rating && Math.round(seat.rating.after) - Math.round(seat.rating.before);
      const tells = seat.place
        ? `#${this.format.rank(seat.place)}${seat.values ? ` ${this.format.scores(seat, { wpm: 2 })[0]![1]}` : " out"} (${gained! < 0 ? "" : "+"}${gained})`
        : seat.left ? "left" : seat.finished ? "done" : "";
      return h("li", { "data-player": seat.player, "data-place": seat.place || null },
        h("span", { class: "name" }, h("bdi", {}, name.join("_") || seat.player), seat.player === this.player && " (you)"),
        h("progress", { max: 1, value: share, "aria-label": "Progress" }), h("span", {}, tells));
    }));
  }

  private progress(share: number): void {
    const now = performance.now();
    if (!this.race || now - this.told < tellEvery) return;
    this.told = now;
    this.races.progress(this.race.id, share).catch(() => undefined); // the next report has the progress too
  }

  private async send(proof: KeystrokesProof): Promise<void> {
    const { race, play } = this;
    say(this.said, words.sending);
    try {
      const result = await submitPlay(this.client, play!, { proof });
      say(this.said, words.standing[result.status] ?? "");
      fill(this.result, shown(result, this.format));
      this.played(result);
      await this.ask(race!.id);
    } catch (error) {
      say(this.said, words.refused(reasonOf(error)));
    }
  }

  private async give(): Promise<void> {
    const { race } = this;
    clearTimeout(this.asking);
    this.race = null;
    this.desk.stop();
    show(this.track, false);
    show(this.bar, true);
    if (race) await this.races.leave(race.id).catch(() => undefined); // a player who is silent loses the seat anyway
  }
}
