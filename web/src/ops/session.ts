// Who is signed in. The token is in this object alone, so that a reload asks again.
import { createOps, type Ops } from "../../../sdk/js/src/ops.ts";

const settings = (window as { framedle?: { api?: string } }).framedle;

/** api is where the API is, without /v1; the page's own origin unless config.js says otherwise. */
export const api = (settings?.api || location.origin).replace(/\/$/, "");

/** isLocal reports whether this is the local product, which fires schedules for anybody. */
export const isLocal = api === location.origin && ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

/** days are those that are asked for: a month's longest, so that all of this month is there. */
export const days = 31;

export class Session {
  readonly ops: Ops;
  private token: string | null;
  /** How many play on a day, as the operator has said; undefined: the API guesses. */
  players: number | undefined;

  constructor(token: string) {
    this.token = token;
    this.ops = createOps({ baseUrl: api, getToken: () => this.token, maxRetries: 1 });
  }

  usage() {
    return this.ops.usage({ days, by: "route", players: this.players });
  }

  end(): void {
    this.token = null;
  }
}
