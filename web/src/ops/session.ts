// The operator's session. Only this object has the token, so a reload asks for it again.
import { createOps, type Ops } from "../../../sdk/js/src/ops.ts";

const settings = (window as { framedle?: { api?: string } }).framedle;

/** api is the API's address without /v1: the page's own origin unless config.js names another. */
export const api = (settings?.api || location.origin).replace(/\/$/, "");

/** isLocal reports whether this is the local product, which always serves the path at which schedules are fired. */
export const isLocal = api === location.origin && ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

/** days is how many days of usage are requested: 31, so that the whole current month is among them. */
export const days = 31;

export class Session {
  readonly ops: Ops;
  private token: string | null;
  /** How many players play on a day, if the operator has entered it; undefined: the API estimates it. */
  players: number | undefined;

  constructor(token: string) {
    this.token = token;
    this.ops = createOps({ baseUrl: api, getToken: () => this.token, maxRetries: 1 });
  }

  usage() {
    return this.ops.usage({ days, by: "route", players: this.players });
  }

  /** fire runs a schedule, for an operator who may administer. */
  fire(schedule: string): Promise<Response> {
    return fetch(`${api}/v1/ops/schedules/${schedule}`, { method: "POST", headers: { Authorization: `Bearer ${this.token}` } });
  }

  end(): void {
    this.token = null;
  }
}
