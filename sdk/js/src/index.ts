export { createClient, type BoardQuery, type Client } from "./client.ts";
export * from "./errors.ts";
export type { LiveOptions } from "./live.ts";
export type { Call, ClientOptions, KeyedCall } from "./transport.ts";
export type * from "./types.ts";
export type { components, operations, paths } from "./types.gen.ts";
