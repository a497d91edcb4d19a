// The elements for Vue 3.3 and later. The web page loads leaderboards.js of a deployment.
import { defineComponent, h, onBeforeUnmount, onMounted, ref } from "vue";
import { attributesOf, connect, type Connection } from "./connect.ts";
import type { LeaderboardAttributes, LeaderboardElement, RankAttributes, RankElement } from "./elements.ts";
import type { LeaderboardsError } from "./errors.ts";
import type { Card, Entry, Page, Result } from "./types.ts";

type Emits = {
  board: (page: Page) => void;
  player: (entry: Entry, event: Event) => void;
  rank: (card: Card) => void;
  error: (error: LeaderboardsError) => void;
};

type Token = Pick<Connection, "getToken">;

const ofRank = ["api", "mode", "period", "date", "scope", "lang"] as const satisfies (keyof RankAttributes)[];
const ofBoard = [...ofRank, "limit", "live", "refresh", "pictures", "heading", "podium", "compact", "label"] as const satisfies (keyof LeaderboardAttributes)[];
const emits = ["board", "player", "rank", "error"] as (keyof Emits)[];

// connected renders an element that is connected while it is mounted.
function connected<Element extends RankElement>(tag: string, props: object & Token, emit: (name: never, ...given: never[]) => void) {
  const element = ref<Element>();
  const tell = emit as (name: string, ...given: unknown[]) => void;
  const connection: Connection = { onBoard: (page) => tell("board", page), onPlayer: (entry, event) => tell("player", entry, event), onRank: (card) => tell("rank", card), onError: (error) => tell("error", error) };
  let end: (() => void) | undefined;
  onMounted(() => (end = connect(element.value!, () => ({ ...connection, getToken: props.getToken }))));
  onBeforeUnmount(() => end?.());
  const render = () => {
    const { getToken: _, ...attributes } = props;
    return h(tag, { ...attributesOf(attributes), ref: element });
  };
  return { element, render };
}

export const Leaderboard = defineComponent<LeaderboardAttributes & Token, Emits>((props, { emit, expose }) => {
  const { element, render } = connected<LeaderboardElement>("framedle-leaderboard", props, emit);
  expose({ element, reload: () => element.value!.reload(), played: (answer: Result) => element.value!.played(answer) });
  return render;
}, { name: "FramedleLeaderboard", props: [...ofBoard, "getToken"], emits });

export const Rank = defineComponent<RankAttributes & Token, Emits>((props, { emit, expose }) => {
  const { element, render } = connected<RankElement>("framedle-rank", props, emit);
  expose({ element, reload: () => element.value!.reload() });
  return render;
}, { name: "FramedleRank", props: [...ofRank, "getToken"], emits });
