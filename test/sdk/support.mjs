import { randomUUID } from "node:crypto";
import { Redis } from "@upstash/redis";

export const url = process.env.UPSTASH_REDIS_REST_URL;
export const token = process.env.UPSTASH_REDIS_REST_TOKEN;
export const readOnlyToken = process.env.UPSTASH_REDIS_REST_READONLY_TOKEN;

// The SDK sends commands as they come to /, or those of one turn of the event
// loop together to /pipeline. Every file runs in both modes.
const enableAutoPipelining = process.env.SDK_AUTO_PIPELINING === "on";

// client is the SDK as its documentation shows it, but for retries: a failure
// here shall be seen, not outlasted.
export function client(options = {}) {
  return new Redis({ url, token, retry: false, enableAutoPipelining, ...options });
}

// key is new at every call, so that tests share one database.
export function key(name = "key") {
  return `${name}:${randomUUID()}`;
}

// raw is a request without the SDK, for what it does not show.
export async function raw(path, body, { headers = {}, method = "POST" } = {}) {
  const response = await fetch(url + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
