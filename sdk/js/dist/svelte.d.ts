import { type Connection } from "./connect.ts";
import type { ElementAttributes } from "./elements.ts";
export type { Connection };
/** connected connects an element: `<framedle-leaderboard mode="daily" use:connected={{ getToken, onPlayer }} />`. */
export declare function connected(node: HTMLElement, connection?: Connection): {
    update: (connection: Connection) => void;
    destroy: () => void;
};
declare module "svelte/elements" {
    interface SvelteHTMLElements {
        "framedle-leaderboard": ElementAttributes["framedle-leaderboard"] & HTMLAttributes<HTMLElement>;
        "framedle-rank": ElementAttributes["framedle-rank"] & HTMLAttributes<HTMLElement>;
    }
}
