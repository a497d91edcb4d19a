// Friends, requests, invites and blocks. The lists send no request before the player opens them.
import type { Client, Friends } from "../../../sdk/js/src/index.ts";
import { fill, h } from "../parts/dom.ts";
import type { Format } from "../parts/format.ts";
import { nameOf } from "../parts/player.ts";
import { copy } from "../parts/share.ts";
import { attempt, buttons, people } from "./people.ts";

export class FriendsLists {
  readonly element: HTMLDetailsElement;
  private readonly said = h("p", { role: "status", class: "said", "data-testid": "friends-said" });
  private readonly lists = h("div");
  private asked = false;

  constructor(
    private readonly client: Client,
    private readonly format: Format,
    private readonly changed: () => void,
    private readonly link: (invite: string) => string,
  ) {
    const id = h("input", { "data-testid": "friend-id", "aria-label": "A player's id", placeholder: "A player's id", autocomplete: "off", required: true, maxlength: 128 });
    const add = h("button", { "data-testid": "friend-ask" }, "Ask to be friends");
    const ask = (event: SubmitEvent) => {
      event.preventDefault();
      void attempt(() => this.ask(id.value.trim()), this.said, add).then((done) => done && (id.value = ""));
    };
    this.element = h(
      "details",
      { class: "lists", "data-testid": "friends-lists", ontoggle: () => this.element.open && !this.asked && void this.load() },
      h("summary", {}, "Friends, requests and invites"),
      h("form", { onsubmit: ask }, id, add),
      h("p", { class: "row" }, ...buttons([["Invite by a link", () => this.invite()]], this.said)),
      this.said,
      this.lists,
    );
  }

  /** reset forgets the lists of the player who has signed out. */
  reset(): void {
    this.asked = false;
    fill(this.lists);
    this.element.open = false;
  }

  /** ask asks a player to be friends. */
  async ask(player: string): Promise<string> {
    const { status } = await this.client.requestFriend(player);
    if (status === "friends") this.changed();
    if (this.asked) await this.load();
    return status === "friends" ? "You are friends." : "You have asked. It is theirs to accept.";
  }

  /** accept accepts the invite of a link. */
  async accept(invite: string): Promise<string> {
    await this.client.acceptInvite(invite);
    this.changed();
    if (this.asked) await this.load();
    return "You are friends.";
  }

  async block(player: string): Promise<string> {
    await this.client.block(player);
    this.changed();
    if (this.asked) await this.load();
    return "Blocked. You can lift it under Friends.";
  }

  private async invite(): Promise<string> {
    const { code, uses } = await this.client.createInvite();
    const link = this.link(code);
    const isCopied = await copy(link);
    return isCopied ? `The link is copied. It is good for ${uses} people and a week.` : link;
  }

  private async load(): Promise<void> {
    this.asked = true;
    if (!(await attempt(async () => this.draw(await this.client.friends()), this.said))) this.asked = false;
  }

  private draw({ friends, received, sent, blocked }: Friends): void {
    const { client, format, said } = this;
    const then = (act: () => Promise<unknown>) => async () => {
      await act();
      this.changed();
      await this.load();
    };
    fill(
      this.lists,
      people("Requests", received, format, ({ player }) => [["Accept", then(() => client.acceptFriend(player))], ["Decline", then(() => client.dropRequest(player))], ["Block", then(() => client.block(player))]], said),
      people("Friends", friends, format, (friend) => [
        ["Remove", then(() => client.removeFriend(friend.player)), `Remove ${nameOf(friend)} from your friends? To be friends again, one of you has to ask.`],
        ["Block", then(() => client.block(friend.player)), `Block ${nameOf(friend)}? You are not friends any more then, and do not see each other.`],
      ], said),
      people("Asked", sent, format, ({ player }) => [["Take back", then(() => client.dropRequest(player))]], said),
      people("Blocked", blocked, format, ({ player }) => [["Lift", then(() => client.unblock(player))]], said),
      !friends.length && !received.length && !sent.length && h("p", {}, "No friends yet. Ask a player by id, from a card on any board, or send a link."),
    );
  }
}
