// The place of duels: the rating, opponents, challenges, duels in progress and those that are over.
import type { Client, Duel } from "../../../sdk/js/src/index.ts";
import type { ClientOptions } from "../../../sdk/js/src/transport.ts";
import { watchDuel } from "../../../sdk/js/src/watch.ts";
import { fill, h, say } from "../parts/dom.ts";
import type { Format } from "../parts/format.ts";
import { attempt, button, list, menu, redraw, row, type Act, type Person } from "./people.ts";
import { drawing, drawings } from "./pictures.ts";
import { pass } from "./share.ts";
import { words } from "./words.ts";

interface DuelsOptions {
  me: () => string | null;
  changed: () => void; // a rating has changed
  counted: (challenges: number) => void;
  link: (invite: string) => string;
  open: (person: Person) => void;
  tries: boolean; // players report results here: only in the local product, where no game does
  title: (mode: string) => string;
}

const watched = 3; // so many of the newest open duels are followed

export class DuelsPlace {
  readonly element = h("div", { class: "box", "data-testid": "duels-lists", hidden: true });
  private readonly rating = h("strong", { "data-testid": "my-rating" });
  private readonly search = h("div", { class: "rowish" });
  private readonly lists = h("div", { tabindex: -1, "data-testid": "duels" });
  private readonly people = new Map<string, Person>();
  private asked = false;
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private following = new AbortController();

  constructor(
    private readonly client: Client,
    private readonly format: Format,
    private readonly options: ClientOptions,
    private readonly o: DuelsOptions,
  ) {
    this.element.append(h("p", { class: "mine place rowish" }, this.rating), this.search, this.lists);
    this.offer(false);
  }

  /** reset forgets the duels of the player who has signed out. */
  reset(): void {
    clearTimeout(this.waiting);
    this.following.abort();
    this.asked = false;
    this.offer(false);
    redraw(this.lists);
    say(this.rating, "");
    this.o.counted(0);
  }

  async challenge(opponent: string): Promise<string> {
    await this.client.createDuel({ opponent });
    if (this.asked) await this.load(true);
    return words.challengeSent;
  }

  /** accept accepts the challenge of a link. */
  async accept(id: string): Promise<string> {
    await this.client.acceptDuel(id);
    await this.load(true);
    return words.duelStarted;
  }

  /** load requests the duels, unless they are there. */
  async load(again = false): Promise<void> {
    if (this.asked && !again) return;
    this.asked = true;
    const done = await attempt(async () => {
      const { duels, people = [] } = await this.client.duels();
      for (const person of people) this.people.set(person.player, person);
      this.draw(duels);
      this.follow(duels);
    });
    if (!done) this.asked = false;
  }

  /** rated shows the player's rating, as the board has it. */
  rated(text: string): void {
    say(this.rating, text);
  }

  private offer(isSearching: boolean): void {
    fill(
      this.search,
      isSearching ? h("span", { role: "status", "data-testid": "searching" }, words.searching) : button([words.findOpponent, () => this.queue()], "primary"),
      isSearching ? button([words.cancelSearch, () => this.leave()]) : button([words.challengeLink, () => this.invite()]),
    );
  }

  private async invite(): Promise<string> {
    const { invite } = await this.client.createDuel();
    await this.load(true);
    return pass(this.o.link(invite ?? ""), words.duelOfferAnybody, words.challengeCopied);
  }

  // queue asks for an opponent, and asks again every poll_after seconds until it gets a duel.
  private async queue(): Promise<string | void> {
    clearTimeout(this.waiting);
    const answer = await this.client.queueDuel();
    if (answer.status !== "queued") {
      this.offer(false);
      await this.load(true);
      return words.opponentFound;
    }
    this.offer(true);
    const pause = ("poll_after" in answer && answer.poll_after) || 5;
    this.waiting = setTimeout(() => void attempt(() => this.queue()), pause * 1000);
  }

  private async leave(): Promise<string> {
    clearTimeout(this.waiting);
    await this.client.leaveDuelQueue();
    this.offer(false);
    return words.searchCancelled;
  }

  private opponent(duel: Duel): string | undefined {
    const me = this.o.me() ?? "";
    return duel.players.find((player) => player !== me) ?? (duel.opponent !== me ? duel.opponent : undefined);
  }

  // follow shows the newest open duels as they change: that one is accepted, or decided.
  private follow(duels: Duel[]): void {
    this.following.abort();
    const { signal } = (this.following = new AbortController());
    const mine = duels.filter(({ status, players }) => (status === "waiting" && players.includes(this.o.me() ?? "")) || status === "ready");
    for (const duel of mine.slice(0, watched)) void this.followOne(duel, signal);
  }

  private async followOne({ id, status, reported }: Duel, signal: AbortSignal): Promise<void> {
    try {
      for await (const now of watchDuel(this.client, id, { ...this.options, signal })) {
        if (now.status === status && now.reported?.length === reported?.length) continue;
        if (now.status === "decided") this.o.changed();
        return void this.load(true);
      }
    } catch {
      // It is shown as it was, until the list is requested again.
    }
  }

  private draw(duels: Duel[]): void {
    const me = this.o.me() ?? "";
    const toMe = duels.filter((duel) => duel.status === "waiting" && !duel.players.includes(me));
    const open = duels.filter((duel) => !toMe.includes(duel) && (duel.status === "waiting" || duel.status === "ready" || duel.status === "disputed"));
    const over = duels.filter((duel) => !toMe.includes(duel) && !open.includes(duel));
    this.o.counted(toMe.length);
    redraw(
      this.lists,
      list(words.challenges, "challenges", toMe.map((duel) => this.row(duel, "asks"))),
      list(words.running, "running", open.map((duel) => this.row(duel, ""))),
      list(words.finished, "finished", over.map((duel) => this.row(duel, ""))),
      !duels.length && h("div", { class: "picture-empty" }, drawing(drawings.people, 96), h("p", {}, words.noDuels)),
    );
  }

  private row(duel: Duel, kind: string): HTMLElement {
    const me = this.o.me() ?? "";
    const other = this.opponent(duel);
    const then = (act: () => Promise<unknown>, text?: string): Act[1] => async () => {
      await act();
      this.o.changed();
      await this.load(true);
      return text;
    };
    const isMine = duel.players.includes(me);
    const acts: Node[] = [];
    const tries: Node[] = [];
    const more: Act[] = [];
    if (duel.status === "waiting" && !isMine) acts.push(button([words.accept, then(() => this.client.acceptDuel(duel.id), words.duelStarted)], "primary"));
    if (this.o.tries && duel.status === "ready" && isMine && other && !duel.reported?.includes(me)) {
      for (const [text, winner] of [[words.iWon, me], [words.iLost, other], [words.draw, null]] as const) tries.push(button([text, then(() => this.client.duelResult(duel.id, { winner }))]));
    }
    if ((duel.status === "decided" || duel.status === "expired") && other) acts.push(button([words.rematch, then(() => this.client.rematch(duel.id), words.challengeSent)]));
    const person: Person = (other && this.people.get(other)) || { player: other ?? "", ...(other ? {} : { name: words.openChallenge }) };
    if (other) more.push([words.seePlayer, async () => this.o.open(person)]);
    if (duel.status === "waiting") {
      const drop = (text: string): Act[1] => then(() => this.client.declineDuel(duel.id), text);
      more.push(isMine ? [words.cancelChallenge, drop(words.challengeCancelled)] : [words.decline, drop(words.challengeDeclined)]);
    }
    const element = row(person, [duel.mode && this.o.title(duel.mode), this.status(duel, me)].filter(Boolean).join(" · "), this.format, { class: kind || null, "data-duel": duel.id, "data-status": duel.status }, ...acts, menu(more), tries.length > 0 && h("div", { class: "three" }, ...tries));
    const outcome = this.outcome(duel, me);
    if (outcome) element.querySelector(".who")!.append(h("span", {}, outcome));
    if (!other) element.removeAttribute("data-player");
    return element;
  }

  private outcome(duel: Duel, me: string): Node | false {
    if (duel.status !== "decided") return false;
    const rating = duel.ratings?.[me];
    const gained = rating ? Math.round(rating.after) - Math.round(rating.before) : 0;
    const [kind, text] = duel.winner === null ? ["", words.draw] : duel.winner === me ? ["won", words.won] : ["lost", words.lost];
    return h("span", { class: "chip " + kind, "data-testid": "outcome" }, rating ? `${text} ${gained < 0 ? "−" : "+"}${this.format.count(Math.abs(gained))}` : text);
  }

  private status(duel: Duel, me: string): string {
    switch (duel.status) {
      case "waiting":
        return duel.players.includes(me) ? words.pending : "";
      case "ready":
        return duel.reported?.includes(me) ? words.waitingForResult : words.inProgress;
      case "expired":
        return words.expired;
      case "disputed":
        return words.disputed;
      default:
        return duel.decided_at ? this.format.date(duel.decided_at, { day: "numeric", month: "short" }) : "";
    }
  }
}
