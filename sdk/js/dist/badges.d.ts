import { type Call, type ClientOptions } from "./transport.ts";
import type { components } from "./types.gen.ts";
import type { QueryOf } from "./types.ts";
export type Badge = components["schemas"]["Badge"];
export type BadgeList = components["schemas"]["BadgeList"];
export interface Badges {
    /** A player's badges, newest first. `"me"` is the caller, and needs a token. */
    of(player: string, query?: QueryOf<"getBadges"> & Call): Promise<BadgeList>;
    /** The caller's own badges, newest first. */
    own(query?: QueryOf<"getOwnBadges"> & Call): Promise<BadgeList>;
}
export declare function createBadges(options: ClientOptions): Badges;
