// The caller's own results. It stands apart from the client, so that pages which do not
// show them load none of it.
import { transport, type Call, type ClientOptions } from "./transport.ts";
import type * as t from "./types.ts";
import type { QueryOf } from "./types.ts";

export interface Results {
  /** A page of what the caller has played, newest first. */
  page(query?: QueryOf<"getResults"> & Call): Promise<t.OwnResults>;
  /** Every result, newest first, a page at a time as they are asked for. */
  all(query?: Omit<QueryOf<"getResults">, "cursor"> & Call): AsyncGenerator<t.OwnResult, void, undefined>;
}

export function createResults(options: ClientOptions): Results {
  const { ask } = transport(options);
  const page: Results["page"] = (query) => ask("/me/results", query, { own: true });
  return {
    page,
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
