// Reads the player's id from a token without checking it. The page uses the id only to mark
// the player's row on boards, which are requested without a token so that caches can answer.

import { words } from "./words.ts";

/** playerOf is the player's id in a session token or a device token; null if there is none. */
export function playerOf(token: string | null | undefined): string | null {
  const parts = (token ?? "").split(".");
  if (parts.length !== 3) return null;
  if (parts[0] === "dev1") return "dev_" + parts[1];
  try {
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes(parts[1]!)));
    const sub = (claims as { sub?: unknown }).sub;
    return typeof sub === "string" ? sub : null;
  } catch {
    return null;
  }
}

function bytes(base64url: string): Uint8Array {
  return Uint8Array.from(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
}

/** names are those that are known beside the API: of the player who has just signed in. */
export const names = new Map<string, string>();

/** nameOf is a player's name; of a player without one "Player" and a number, which is not the id's. */
export function nameOf({ name, player }: { name?: string | undefined; player: string }): string {
  return name || names.get(player) || `${words.player} ${1000 + (hashOf(player) % 9000)}`;
}

/** hashOf makes a number of an id: the same for the same id. */
export function hashOf(id: string): number {
  let hash = 7;
  for (const letter of id) hash = (hash * 31 + letter.codePointAt(0)!) % 1_000_003;
  return hash;
}
