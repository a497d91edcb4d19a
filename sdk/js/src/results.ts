// The caller's own results and ranks: a module of its own, so that pages without them do not load it.
import { transport, type Call, type ClientOptions } from "./transport.ts";
import type * as t from "./types.ts";
import type { QueryOf } from "./types.ts";

export interface Results {
  /** A page of the caller's results, newest first; `next` is the `cursor` of the next page, null on the last. */
  page(query?: QueryOf<"getResults"> & Call): Promise<t.OwnResults>;
  /** Yields every result, newest first. Each page is requested when the one before is consumed. */
  all(query?: Omit<QueryOf<"getResults">, "cursor"> & Call): AsyncGenerator<t.OwnResult, void, undefined>;
  /** The caller's ranks of the last closed days of a mode, newest first. A rank above 10,000 is left out. */
  ranks(query: QueryOf<"getRanks"> & Call): Promise<t.OwnRanks>;
}

export function createResults(options: ClientOptions): Results {
  const { ask } = transport(options);
  const page: Results["page"] = (query) => ask("/me/results", query, { own: true });
  return {
    page,
    ranks: (query) => ask("/me/ranks", query, { own: true }),
    async *all(query) {
      let cursor: string | null | undefined;
      do {
        const answer: t.OwnResults = await page(cursor ? { ...query, cursor } : query);
        yield* answer.results;
        cursor = answer.next;
      } while (cursor);
    },
  };
}
