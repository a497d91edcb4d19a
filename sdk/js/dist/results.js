// The caller's own results. It stands apart from the client, so that pages which do not
// show them load none of it.
import { transport } from "./transport.js";
export function createResults(options) {
    const { ask } = transport(options);
    const page = (query) => ask("/me/results", query, { own: true });
    return {
        page,
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
