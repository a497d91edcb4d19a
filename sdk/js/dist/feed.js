// What has changed on a day's board.
import { transport } from "./transport.js";
export function createFeed(options) {
    const { ask } = transport(options);
    return { feed: (query) => ask("/feed", query) };
}
