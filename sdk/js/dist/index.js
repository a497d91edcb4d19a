export { createClient } from "./client.js";
export * from "./errors.js";
