import { type Call, type ClientOptions } from "./transport.ts";
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
export declare function createResults(options: ClientOptions): Results;
