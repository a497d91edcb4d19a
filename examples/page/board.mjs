// Reads boards for a game's page, and submits scores, with nothing but fetch: in a browser,
// in Node, in an app.

// A browser revalidates by itself, and If-None-Match from a page would cost a preflight.
const revalidates = typeof document !== "undefined";

// Boards reads from one deployment. token returns a fresh session token, such as
// () => Clerk.session.getToken(); without a token only public boards can be read.
export class Boards {
  #kept = new Map(); // address -> { tag, board }, of the last 20 boards

  constructor(url, token = async () => null) {
    this.url = url;
    this.token = token;
  }

  // board returns a page of a board. If nothing has changed it returns the same object as
  // before, so that the caller can compare with === before it draws.
  async board(mode, { period = "day", date, scope, limit = 100, cursor } = {}) {
    const address = this.#address(`/v1/leaderboards/${mode}`, { period, date, scope, limit, cursor });
    const kept = this.#kept.get(address);
    const response = await fetch(address, kept && !revalidates ? { headers: { "If-None-Match": kept.tag } } : {});
    const tag = response.headers.get("ETag");
    if (kept && (response.status === 304 || (response.ok && tag === kept.tag))) return kept.board;
    const board = await read(response);
    if (tag) this.#kept.set(address, { tag, board });
    if (this.#kept.size > 20) this.#kept.delete(this.#kept.keys().next().value);
    return board;
  }

  // card returns the standing of the token's player; rank is null if the player is not
  // on the board.
  async card(mode, { period = "day", date, scope } = {}) {
    const address = this.#address(`/v1/leaderboards/${mode}/players/me`, { period, date, scope });
    try {
      return await read(await fetch(address, { headers: await this.#bearer() }));
    } catch (problem) {
      if (problem.code === "not-on-board") return { rank: null, score: null };
      throw problem;
    }
  }

  // submit sends a score. If it is sent again with the same key, the score counts once and
  // the answer is the same as the first time: keep the key until there is an answer.
  async submit(score, key = crypto.randomUUID()) {
    const response = await fetch(this.url + "/v1/scores", {
      method: "POST",
      headers: { ...(await this.#bearer()), "Content-Type": "application/json", "Idempotency-Key": `"${key}"` },
      body: JSON.stringify(score),
    });
    return read(response);
  }

  #address(path, query) {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    return `${this.url}${path}?${new URLSearchParams(given)}`;
  }

  async #bearer() {
    const token = await this.token();
    return token ? { Authorization: `Bearer ${token}` } : {};
  }
}

// Problem is an error answer. code is for programs, message for people.
export class Problem extends Error {
  constructor(status, { type = "", detail = "" }, retryAfter) {
    super(detail || `the answer has status ${status}`);
    this.status = status;
    this.code = type.split("#").pop();
    this.retryAfter = retryAfter; // seconds until the same request may be sent again; undefined if not told
  }
}

async function read(response) {
  if (response.ok) return response.json();
  const problem = await response.json().catch(() => ({})); // a gateway's own errors are not JSON
  const wait = response.headers.get("Retry-After");
  throw new Problem(response.status, problem, wait === null ? undefined : Number(wait));
}
