export { createClient } from "./client.js";
export { LeaderboardsError } from "./errors.js";
export * from "./problems.js";
export { ranked } from "./ranked.js";
