import { type Call, type ClientOptions } from "./transport.ts";
import type * as t from "./types.ts";
import type { QueryOf } from "./types.ts";
export interface Results {
    /** A page of what the caller has played, newest first. */
    page(query?: QueryOf<"getResults"> & Call): Promise<t.OwnResults>;
    /** Every result, newest first, a page at a time as they are asked for. */
    all(query?: Omit<QueryOf<"getResults">, "cursor"> & Call): AsyncGenerator<t.OwnResult, void, undefined>;
}
export declare function createResults(options: ClientOptions): Results;
