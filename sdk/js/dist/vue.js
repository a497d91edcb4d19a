// The elements for Vue 3.3 and later. The web page loads leaderboards.js of a deployment.
import { defineComponent, h, onBeforeUnmount, onMounted, ref } from "vue";
import { attributesOf, connect } from "./connect.js";
const ofRank = ["api", "mode", "period", "date", "scope", "lang"];
const ofBoard = [...ofRank, "limit", "live", "refresh", "pictures", "heading", "podium", "compact", "label"];
const emits = ["board", "player", "rank", "error"];
// connected renders an element that is connected while it is mounted.
function connected(tag, props, emit) {
    const element = ref();
    const tell = emit;
    const connection = { onBoard: (page) => tell("board", page), onPlayer: (entry, event) => tell("player", entry, event), onRank: (card) => tell("rank", card), onError: (error) => tell("error", error) };
    let end;
    onMounted(() => (end = connect(element.value, () => ({ ...connection, getToken: props.getToken }))));
    onBeforeUnmount(() => end?.());
    const render = () => {
        const { getToken: _, ...attributes } = props;
        return h(tag, { ...attributesOf(attributes), ref: element });
    };
    return { element, render };
}
export const Leaderboard = defineComponent((props, { emit, expose }) => {
    const { element, render } = connected("framedle-leaderboard", props, emit);
    expose({ element, reload: () => element.value.reload(), played: (answer) => element.value.played(answer) });
    return render;
}, { name: "FramedleLeaderboard", props: [...ofBoard, "getToken"], emits });
export const Rank = defineComponent((props, { emit, expose }) => {
    const { element, render } = connected("framedle-rank", props, emit);
    expose({ element, reload: () => element.value.reload() });
    return render;
}, { name: "FramedleRank", props: [...ofRank, "getToken"], emits });
