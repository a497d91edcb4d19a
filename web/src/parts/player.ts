// Who a token says its owner is. Nothing is proved by it: it marks the own row on
// boards that were asked for without a token, which caches may answer.

/** playerOf is the id in a session token or a device token; null where there is none. */
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

/** nameOf is what a player without a name is called: never nothing, and told apart from others. */
export function nameOf(entry: { name?: string | undefined; player: string }): string {
  return entry.name || "Player " + entry.player.slice(-4);
}
