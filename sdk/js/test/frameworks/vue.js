import { createApp, defineComponent, h, ref } from "vue";
import { Leaderboard, Rank } from "@framedle/leaderboards/vue";

const App = defineComponent(({ api, token }) => {
  const [drawn, chosen, total, board] = [ref(0), ref(""), ref(0), ref()];
  return () => [
    h(Leaderboard, { ref: board, class: "mine", api, mode: "daily_frame", limit: 5, podium: true, live: false, getToken: () => token, onBoard: (page) => (total.value = page.total), onPlayer: (entry, event) => (event.preventDefault(), (chosen.value = entry.player)) }),
    h(Rank, { api, mode: "daily_frame", getToken: () => token }),
    h("p", { id: "told" }, `${chosen.value} of ${total.value}, ${typeof board.value?.played}`),
    h("button", { id: "draw", onClick: () => drawn.value++ }, drawn.value),
  ];
}, { props: ["api", "token"] });

const app = createApp(App, window.given);
app.mount("#app");
window.end = () => app.unmount();
