// Clients of the product that the Go side has started.
import { createClient } from "../dist/index.js";
import { checked } from "./contract.mjs";

export const baseUrl = process.env.PRODUCT_URL;

let count = 0;

/** An id that no other test has. */
export const newcomer = (name = "player") => `user_${name}_${process.pid}_${++count}`;

/** A session token, as the local product gives anybody. */
export async function tokenOf(player, claims = {}) {
  const response = await fetch(baseUrl + "/_local/token", { method: "POST", body: JSON.stringify({ player, ...claims }) });
  return (await response.json()).token;
}

/** The client of a signed-in player. */
export async function playing(player = newcomer(), options = {}) {
  const token = await tokenOf(player, { name: player });
  return createClient({ baseUrl, fetch: checked, requestsPerMinute: Infinity, getToken: () => token, ...options });
}

/** A client without a token. */
export const watching = (options = {}) => createClient({ baseUrl, fetch: checked, ...options });

/** Sets the product's clock, which does not move by itself. */
export const pass = (to) => fetch(baseUrl + "/_local/clock", { method: "PUT", body: JSON.stringify({ now: new Date(to) }) });

/** Runs a function, and returns how many billed commands the product sent to Redis meanwhile. */
export async function commands(during) {
  const used = async () => (await (await fetch(baseUrl + "/_local/usage")).json()).commands;
  const before = await used();
  await during();
  return (await used()) - before;
}
