// The elements for Svelte 4 and 5: an action for the tags, and their types. The web page loads
// leaderboards.js of a deployment.
import type {} from "svelte/elements";
import { connect, type Connection } from "./connect.ts";
import type { ElementAttributes, RankElement } from "./elements.ts";

export type { Connection };

/** connected connects an element: `<framedle-leaderboard mode="daily" use:connected={{ getToken, onPlayer }} />`. */
export function connected(node: HTMLElement, connection: Connection = {}): { update: (connection: Connection) => void; destroy: () => void } {
  let latest = connection;
  let end = connect(node as RankElement, () => latest);
  return {
    update(connection) {
      const isOther = !connection.getToken !== !latest.getToken; // signed in or out for good
      latest = connection;
      if (!isOther) return;
      end();
      end = connect(node as RankElement, () => latest);
    },
    destroy: () => end(),
  };
}

declare module "svelte/elements" {
  interface SvelteHTMLElements {
    "framedle-leaderboard": ElementAttributes["framedle-leaderboard"] & HTMLAttributes<HTMLElement>;
    "framedle-rank": ElementAttributes["framedle-rank"] & HTMLAttributes<HTMLElement>;
  }
}
