import type { BoardQuery } from "./client.ts";
import { type Call, type transport } from "./transport.ts";
import type { Page } from "./types.ts";
export type LiveOptions = BoardQuery & Call & {
    /** Milliseconds between two questions; 5,000. */
    interval?: number;
    /** Is told of failures that pass; the next question then comes later. */
    onError?: (error: Error) => void;
};
type Read = (mode: string, query: BoardQuery & Call) => Promise<Page>;
export declare function follow(_: ReturnType<typeof transport>, read: Read, mode: string, options?: LiveOptions): AsyncGenerator<Page, void, undefined>;
export {};
