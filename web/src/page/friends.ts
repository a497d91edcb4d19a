// The place of friends: invites, requests, the list of friends, blocks.
import type { Client, Friends } from "../../../sdk/js/src/index.ts";
import { h } from "../parts/dom.ts";
import type { Format } from "../parts/format.ts";
import { nameOf } from "../parts/player.ts";
import { attempt, button, list, menu, redraw, row, type Act, type Person } from "./people.ts";
import { drawing, drawings } from "./pictures.ts";
import { pass } from "./share.ts";
import { toast } from "./toast.ts";
import { words } from "./words.ts";

const hasty = 600; // ms: the second half of a double click is no decision of its own

export class FriendsPlace {
  /** top has what comes first: how to invite friends, and requests. */
  readonly top = h("section", { "aria-label": words.requests, hidden: true });
  readonly element = h("section", { "data-testid": "friends-lists", "aria-label": words.friends, hidden: true });
  private readonly requests = h("div", { tabindex: -1 });
  private readonly lists = h("div", { tabindex: -1 });
  private known: Friends | null = null;
  private asked = false;
  private drawn = 0;
  private undoable = 0; // acts that can still be undone

  constructor(
    private readonly client: Client,
    private readonly format: Format,
    private readonly changed: () => void,
    private readonly counted: (requests: number) => void,
    private readonly link: (invite: string) => string,
    private readonly open: (person: Person) => void,
  ) {
    const code = h("input", { "data-testid": "friend-code", "aria-label": words.addByCode, placeholder: words.addByCode, autocomplete: "off", required: true, maxlength: 300 });
    const add = h("button", { "data-testid": "friend-ask" }, words.addFriend);
    const ask = (event: SubmitEvent) => {
      event.preventDefault();
      void attempt(() => this.add(code.value.trim()), add).then((done) => done && (code.value = ""));
    };
    this.top.append(h("div", { class: "rowish invite" }, button([words.invite, () => this.invite()], "primary"), h("form", { class: "rowish", onsubmit: ask }, code, add)), this.requests);
    this.element.append(this.lists);
  }

  /** reset forgets the lists of the player who has signed out. */
  reset(): void {
    this.asked = false;
    this.known = null;
    redraw(this.requests);
    redraw(this.lists);
    this.counted(0);
  }

  /** load requests the lists, unless they are there. */
  async load(again = false): Promise<void> {
    if (this.asked && !again) return;
    this.asked = true;
    if (!(await attempt(async () => this.draw(await this.client.friends())))) this.asked = false;
  }

  /** refresh requests the lists again, and shows what others have changed; not while an act may be undone. */
  async refresh(): Promise<void> {
    const before = this.known;
    if (!before || this.undoable) return;
    const known = await this.client.friends().catch(() => before); // the next time comes soon
    if (this.known !== before || JSON.stringify(known) === JSON.stringify(before)) return;
    this.draw(known);
    this.changed();
  }

  /** isFriend and hasAsked say what is known of a player, once the lists are there. */
  isFriend(player: string): boolean {
    return !!this.known?.friends.some((friend) => friend.player === player);
  }

  hasAsked(player: string): boolean {
    return !!this.known?.received.some((request) => request.player === player);
  }

  /** ask asks a player to be friends; accepts, if the player has asked already. */
  async ask(player: string): Promise<string> {
    const { status } = await this.client.requestFriend(player);
    if (status === "friends") this.changed();
    if (this.asked) await this.load(true);
    return status === "friends" ? words.nowFriends : words.requestSent;
  }

  /** accept accepts the invite of a link. */
  async accept(invite: string): Promise<string> {
    await this.client.acceptInvite(invite);
    this.changed();
    await this.load(true);
    return words.nowFriends;
  }

  async block(player: string): Promise<string> {
    await this.client.block(player);
    this.changed();
    if (this.asked) await this.load(true);
    return words.blockedNow;
  }

  // add takes a friend code, or a link that has one.
  private async add(text: string): Promise<string> {
    const code = /(?:^|[?&]invite=)([a-z2-7]{26})(?:$|&|#)/.exec(text.toLowerCase())?.[1];
    return code ? this.accept(code) : words.badCode;
  }

  private async invite(): Promise<string> {
    const { code, uses } = await this.client.createInvite();
    return pass(this.link(code), words.inviteText, this.format.plural(uses, words.inviteCopied));
  }

  // later takes a person out of the lists at once, and does the act when the time to undo it is over.
  private later(player: string, text: string, act: () => Promise<unknown>): void {
    const before = this.known!;
    const without = <T extends Person>(people: T[]) => people.filter((person) => person.player !== player);
    const { friends, received, sent, blocked } = before;
    this.undoable++;
    this.draw({ friends: without(friends), received: without(received), sent: without(sent), blocked: without(blocked) });
    toast(text, {
      text: words.undo,
      undo: () => (this.undoable--, this.draw(before)),
      over: () => (this.undoable--, void attempt(async () => (await act(), this.changed(), this.load(true)))),
    });
  }

  private draw(known: Friends): void {
    this.known = known;
    this.drawn = performance.now();
    const { client, format } = this;
    const { friends, received, sent, blocked } = known;
    this.counted(received.length);
    const then = (act: () => Promise<unknown>, text: string): Act[1] => async () => {
      if (performance.now() - this.drawn < hasty) return;
      await act();
      this.changed();
      await this.load(true);
      return text;
    };
    const after = (player: string, text: string, act: () => Promise<unknown>): Act[1] => async () => {
      if (performance.now() - this.drawn >= hasty) this.later(player, text, act);
    };
    const since = (person: { since?: string | undefined }) => (person.since ? words.since(format.date(person.since, { day: "numeric", month: "short", year: "numeric" })) : "");
    const see = (person: Person): Act => [words.seePlayer, async () => this.open(person)];
    redraw(
      this.requests,
      list(words.requests, "requests", received.map((person) => row(person, "", format, { class: "asks" },
        button([words.accept, then(() => client.acceptFriend(person.player), words.nowFriends)], "primary"),
        menu([see(person), [words.decline, after(person.player, words.declined, () => client.dropRequest(person.player))], [words.block, then(() => client.block(person.player), words.blockedNow)]])))),
    );
    redraw(
      this.lists,
      list(words.yourFriends, "friends", friends.map((person) => row(person, since(person), format, {},
        menu([see(person), [words.remove, after(person.player, words.removed(nameOf(person)), () => client.removeFriend(person.player))], [words.block, then(() => client.block(person.player), words.blockedNow)]])))),
      list(words.sent, "asked", sent.map((person) => row(person, "", format, {}, button([words.cancelRequest, after(person.player, words.requestCancelled, () => client.dropRequest(person.player))])))),
      list(words.blocked, "blocked", blocked.map((person) => row(person, "", format, {}, button([words.unblock, then(() => client.unblock(person.player), words.unblocked)])))),
      !friends.length && !received.length && !sent.length && h("div", { class: "picture-empty" }, drawing(drawings.people, 96), h("p", {}, words.noFriends)),
    );
  }
}
