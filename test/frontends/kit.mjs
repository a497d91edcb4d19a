import assert from "node:assert/strict";
import { url as api } from "../web/support.mjs";

export const originsOf = (...addresses) => addresses.map((address) => new URL(address).origin);

export const tokenOf = async (player, name) =>
  (await (await fetch(api + "/_local/token", { method: "POST", body: JSON.stringify({ player, name }) })).json()).token;

export async function plays(player, name, score) {
  const headers = { Authorization: "Bearer " + (await tokenOf(player, name)), "Content-Type": "application/json" };
  const answer = await fetch(api + "/v1/scores", { method: "POST", headers, body: JSON.stringify({ mode: "daily_frame", score }) });
  assert.equal(answer.status, 201);
}
