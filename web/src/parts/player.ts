// Reads the player's id from a token without checking it. The page uses the id only to mark
// the player's row on boards, which are requested without a token so that caches can answer.

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

/** nameOf is a player's name, or "Player" and the end of the id if the player has none. */
export function nameOf(entry: { name?: string | undefined; player: string }): string {
  return entry.name || "Player " + entry.player.slice(-4);
}
