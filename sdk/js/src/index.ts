export { createClient, type Client } from "./client.ts";
export { LeaderboardsError, type ErrorClass, type Failure, type FieldError, type Problem, type ProblemCode } from "./errors.ts";
export * from "./problems.ts";
export type { LiveOptions } from "./live.ts";
export { ranked } from "./ranked.ts";
export type { Call, ClientOptions, KeyedCall, Stream } from "./transport.ts";
export type * from "./types.ts";
export type { components, operations, paths } from "./types.gen.ts";
