// Defines the two elements, for any web page: <script type="module" src=".../leaderboards.js">.
import type { Elements } from "../../../sdk/js/src/elements.ts";
import { Leaderboard } from "./leaderboard.ts";
import { Rank } from "./rank.ts";

// What card.js, which is loaded when a card is opened, has in common with this script.
export * from "../parts/dom.ts";
export * from "../parts/player.ts";
export * from "../parts/row.ts";
export { words } from "../parts/words.ts";
export { Leaderboard, Rank };

// What the package says of the elements is what they are.
const elements: { [Tag in keyof Elements]: new () => Elements[Tag] } = { "framedle-leaderboard": Leaderboard, "framedle-rank": Rank };
for (const [name, element] of Object.entries(elements)) {
  if (!customElements.get(name)) customElements.define(name, element);
}
