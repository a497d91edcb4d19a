// A race. A player makes it; others join by a link or from the queue. The server sets the
// moment of the start, each page counts down to it, and the race ends when all results are in.
import type { Client, KeystrokesProof } from "../../../sdk/js/src/index.ts";
import { submitPlay, type Started } from "../../../sdk/js/src/plays.ts";
import { races, startsIn, type Race as Known, type Races } from "../../../sdk/js/src/races.ts";
import type { ClientOptions } from "../../../sdk/js/src/transport.ts";
import { fill, h, say, show } from "../parts/dom.ts";
import type { Format } from "../parts/format.ts";
import { nameOf } from "../parts/player.ts";
import { showFlag } from "../parts/row.ts";
import { Desk, type Challenge } from "./desk.ts";
import { shown, type Outcome } from "./result.ts";
import { reasonOf, standingOf, words } from "./words.ts";

const askEvery = 1000; // ms
const tellEvery = 500; // ms

// firstOf is the number that decides the race.
const firstOf = (seat: Known["players"][number]) => (seat.values ? (Object.values(seat.values)[0] ?? 0) : (seat.score ?? 0));

const isOver = (race: Known) => race.state === "decided" || race.state === "expired";

export class Race {
  private readonly count = h("select", { "aria-label": words.racers, "data-testid": "racers" });
  private readonly make = h("button", { type: "button", "data-testid": "race", onclick: () => void this.begin(() => this.races.make({ mode: this.mode, players: Number(this.count.value), invite: true })) }, words.privateRace);
  private readonly queue = h("button", { type: "button", "data-testid": "race-queue", onclick: () => void this.begin(() => this.races.queue(this.mode)) }, words.quickRace);
  private readonly leave = h("button", { type: "button", "data-testid": "race-leave", onclick: () => void this.give() }, words.leave);
  readonly offer = h("div", { class: "banner", hidden: true, "data-testid": "race-offer" });
  private readonly said = h("span", { role: "status", class: "said", "data-testid": "race-said" });
  private readonly link = h("a", { "data-testid": "race-link", hidden: true });
  private readonly racers = h("ol", { class: "racers", "aria-label": words.racers });
  private readonly result = h("div");
  private readonly desk = new Desk({ finished: (proof) => void this.send(proof), progressed: (share) => this.progress(share) });
  private readonly bar = h("div", { class: "rowish" }, this.count, this.make, this.queue);
  private readonly track = h("div", { hidden: true }, h("div", { class: "rowish" }, this.said, this.link, this.leave), this.racers, this.desk.element, this.result);
  readonly element = h("section", { class: "desk race box", "aria-label": words.race, hidden: true }, this.bar, this.track);
  private readonly races: Races;
  private mode = "";
  private unavailable = false; // no result of the mode counts here
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
    private readonly signIn: () => void,
  ) {
    this.races = races(options);
    fill(this.count, ...[2, 3, 4, 5].map((n) => h("option", { value: n }, format.plural(n, words.playersInRace))));
  }

  /** update sets the player, and shows the race of a link. Whoever has no seat in it is asked first: anybody can send a link. */
  async update(player: string | null, link: string | null): Promise<void> {
    this.player = player;
    show(this.element, player !== null);
    show(this.bar, player !== null);
    if (!link) return;
    if (!player) {
      fill(this.offer, h("p", {}, words.invitedSignedOut), h("button", { type: "button", class: "primary", onclick: () => this.signIn() }, words.signIn));
      return show(this.offer, true);
    }
    const race = await this.races.race(link).catch(() => null);
    if (race?.players.some((seat) => seat.player === player)) return this.begin(async () => race);
    fill(this.offer, h("p", {}, words.invited),
      h("button", { type: "button", class: "primary", "data-testid": "race-join", onclick: () => void this.begin(() => this.races.join(link)) }, words.join),
      h("button", { type: "button", "data-testid": "race-decline", onclick: () => show(this.offer, false) }, words.decline));
    show(this.offer, true);
  }

  turn(mode: string, unavailable = false): void {
    this.mode = mode;
    this.unavailable = unavailable;
    this.make.disabled = this.queue.disabled = unavailable;
  }

  private async begin(enter: () => Promise<Known>): Promise<void> {
    this.make.disabled = this.queue.disabled = true;
    show(this.offer, false);
    try {
      const race = await enter();
      this.play = null;
      fill(this.result);
      this.element.parentElement?.prepend(this.element); // above the test, whose result it takes the place of
      show(this.track, true);
      show(this.bar, false);
      if (race.mode !== this.mode) this.moved(race.mode);
      this.follow(race);
    } catch (error) {
      show(this.track, true);
      say(this.said, reasonOf(error));
    } finally {
      this.make.disabled = this.queue.disabled = this.unavailable;
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
      say(this.said, words.go);
      this.desk.open(true);
    };
    count();
  }

  private draw(race: Known): void {
    const over = isOver(race);
    const waits = race.state === "waiting";
    if (waits) say(this.said, words.joined(this.format.count(race.players.length), this.format.count(race.size)));
    else if (race.state === "expired") say(this.said, words.cancelled);
    else if (over) {
      const mine = race.players.find((seat) => seat.player === this.player)?.place;
      say(this.said, mine === 1 ? words.raceWon : mine ? words.place(this.format.count(mine), this.format.count(race.players.length)) : words.over);
    }
    const address = new URL(location.pathname, location.href);
    address.search = new URLSearchParams({ mode: race.mode, race: race.id }).toString();
    this.link.href = address.href;
    say(this.link, words.inviteLink);
    show(this.link, waits);
    show(this.leave, !over);
    const seats = over ? [...race.players].sort((a, b) => (a.place ?? 9) - (b.place ?? 9)) : race.players;
    const most = Math.max(...seats.map((seat) => (over ? firstOf(seat) : seat.progress)));
    const people = new Map(race.people?.map((person) => [person.player, person]));
    fill(this.racers, ...seats.map((seat) => {
      const person = people.get(seat.player) ?? { player: seat.player, country: undefined };
      const country = h("span", { class: "flag", role: "img" });
      showFlag(country, person.country, this.format);
      // What wins is how far one gets in the time, so a bar is a share of the leader's.
      const share = most > 0 ? (over ? firstOf(seat) : seat.progress) / most : 0;
      const gained = seat.rating && Math.round(seat.rating.after) - Math.round(seat.rating.before);
      const tells = seat.place
        ? `${words.rankSign(this.format.count(seat.place))}${seat.values ? ` ${this.format.scores(seat, { wpm: 2 })[0]![1]}` : " " + words.out} (${gained! < 0 ? "" : "+"}${gained})`
        : seat.left ? words.left : seat.finished ? words.done : "";
      return h("li", { "data-player": seat.player, "data-place": seat.place || null },
        h("span", { class: "name" }, h("bdi", {}, nameOf(person)), country, seat.player === this.player && h("span", { class: "you" }, words.you)),
        h("progress", { max: 1, value: share, "aria-label": words.raceProgress }), h("span", {}, tells));
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
      say(this.said, standingOf(result.status));
      fill(this.result, shown(result, this.format));
      this.played(result);
      await this.ask(race!.id);
    } catch (error) {
      say(this.said, words.notCounted(reasonOf(error)));
    }
  }

  private async give(): Promise<void> {
    const { race } = this;
    clearTimeout(this.asking);
    this.race = null;
    this.desk.stop();
    show(this.track, false);
    show(this.bar, true);
    this.element.parentElement?.append(this.element);
    if (race) await this.races.leave(race.id).catch(() => undefined); // a player who is silent loses the seat anyway
  }
}
