// A server that cuts, throttles and lies. Each request gets the next behaviour of a list; after
// the last one the product answers, or a given function.
import { createServer } from "node:http";
import { once } from "node:events";

const json = { "Content-Type": "application/json" };
const problem = { "Content-Type": "application/problem+json" };
const problemOf = (status, code) => JSON.stringify({ type: "https://x.example/#" + code, code, title: code, status, detail: "it is " + code });

/** Passes a request on, and gives the whole answer. */
async function product(base, request, body) {
  const response = await fetch(base + request.url, {
    method: request.method,
    headers: Object.fromEntries(Object.entries(request.headers).filter(([name]) => ["authorization", "content-type", "idempotency-key", "accept"].includes(name))),
    ...(body.length ? { body } : {}),
  });
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
}

export const behaviours = {
  /** The connection ends before the product has seen the request. */
  cutBefore: (_, response) => response.destroy(),
  /** The request takes effect, and the answer is lost. */
  cutAfter: async (effect, response) => (await effect(), response.destroy()),
  /** Half of the answer comes. */
  truncated: async (effect, response) => {
    const { status, headers, text } = await effect();
    response.writeHead(status, { "Content-Type": headers["content-type"], "Content-Length": Buffer.byteLength(text) });
    response.write(text.slice(0, text.length / 2), () => response.destroy());
  },
  /** Half of the answer comes, and no header shows that it is half. */
  truncatedUnseen: async (effect, response) => {
    const { text } = await effect();
    response.writeHead(200, json).end(text.slice(0, text.length / 2));
  },
  /** The request takes effect; the answer never ends. */
  never: async (effect, response) => (await effect(), response.writeHead(200, json).write("{")),
  throttled: (_, response) => response.writeHead(429, { ...problem, "Retry-After": "0" }).end(problemOf(429, "rate-limited")),
  down: (_, response) => response.writeHead(503, { ...problem, "Retry-After": "0" }).end(problemOf(503, "temporarily-unavailable")),
  /** The request takes effect, but a gateway gives up waiting for the answer. */
  gateway: async (effect, response) => (await effect(), response.writeHead(504, { "Content-Type": "text/html" }).end("<h1>504</h1>")),
  running: (_, response) => response.writeHead(409, { ...problem, "Retry-After": "0" }).end(problemOf(409, "idempotency-key-in-use")),
  taken: (_, response) => response.writeHead(409, problem).end(problemOf(409, "device-taken")),
  expired: (_, response) => response.writeHead(401, problem).end(problemOf(401, "unauthenticated")),
  html: (_, response) => response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>Sign in to the hotel's network</title>"),
  untyped: (_, response) => response.writeHead(200).end("{}"),
  brokenProblem: (_, response) => response.writeHead(400, problem).end('{"code":'),
  hostileProblem: (_, response) => response.writeHead(400, problem).end('{"code":"constructor","detail":{"a":1},"__proto__":{"status":1},"errors":null}'),
  notABoard: (_, response) => response.writeHead(200, json).end('{"entries":{"length":3}}'),
  nothing: (_, response) => response.writeHead(200, json).end("null"),
};

/** A hostile server before a product; `behind` may be a function that answers requests in the product's place. */
export async function hostile(t, behind) {
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    it.seen.push({ method: request.method, url: request.url, headers: request.headers, body: body.toString() });
    if (typeof behind === "function") return behind(request, response, it.seen.length);
    const effect = () => product(behind, request, body);
    const next = it.plan.shift();
    if (next) return next(effect, response);
    const { status, headers, text } = await effect();
    for (const name of ["content-type", "retry-after", "date", "x-request-id"]) if (headers[name]) response.setHeader(name, headers[name]);
    response.writeHead(status).end(text);
  });
  const it = { plan: [], seen: [], url: "" };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => (server.closeAllConnections(), server.close()));
  it.url = `http://127.0.0.1:${server.address().port}`;
  return it;
}

/** Random numbers, the same for the same seed (mulberry32). */
export function random(seed) {
  return (below) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}
