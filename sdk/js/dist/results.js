// The caller's own results and ranks: a module of its own, so that pages without them do not load it.
import { transport } from "./transport.js";
export function createResults(options) {
    const { ask } = transport(options);
    const page = (query) => ask("/me/results", query, { own: true });
    return {
        page,
        ranks: (query) => ask("/me/ranks", query, { own: true }),
        async *all(query) {
            let cursor;
            do {
                const answer = await page(cursor ? { ...query, cursor } : query);
                yield* answer.results;
                cursor = answer.next;
            } while (cursor);
        },
    };
}
