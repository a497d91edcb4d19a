// Who is signed in. In a deployment the embedding page supplies the token; in the local
// product anybody signs in with any name, for as long as the tab is open.
import { names, playerOf } from "../parts/player.ts";
import type { Settings } from "./settings.ts";

const place = "framedle.local"; // the key in sessionStorage

interface Kept {
  name: string;
  token: string;
}

export class Session {
  private kept: Kept | null = null;

  constructor(
    private readonly settings: Settings,
    private readonly changed: () => void,
  ) {
    if (settings.local) this.kept = recall();
    this.introduce();
  }

  /** token returns the player's session token; null if nobody is signed in. */
  readonly token = async (asked: { fresh: boolean }): Promise<string | null> => {
    if (this.settings.local) return this.kept?.token ?? null;
    return (await this.settings.getToken?.(asked)) ?? null;
  };

  readonly player = async (): Promise<string | null> => playerOf(await this.token({ fresh: false }));

  /** name is the name with which the player has signed in locally. */
  get name(): string | null {
    return this.kept?.name ?? null;
  }

  /** signIn signs in locally: it requests a token for a name from the local product. */
  async signIn(name: string): Promise<void> {
    const response = await fetch("/_local/token", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ player: await idOf(name), name, ...region() }),
    });
    const answer: { token?: string; detail?: string } = await response.json();
    if (!answer.token) throw new Error(answer.detail ?? "no token");
    this.kept = { name, token: answer.token };
    sessionStorage.setItem(place, JSON.stringify(this.kept));
    this.introduce();
    this.changed();
  }

  // introduce has boards that do not know the player's name yet show it all the same.
  private introduce(): void {
    const player = playerOf(this.kept?.token);
    if (player) names.set(player, this.kept!.name);
  }

  signOut(): void {
    this.kept = null;
    sessionStorage.removeItem(place);
    this.changed();
  }
}

/** idOf makes a player id of a name: readable if the name is plain, else of the name's digest. */
export async function idOf(name: string): Promise<string> {
  const plain = name.toLowerCase().replaceAll(" ", "_");
  if (/^[a-z0-9_-]{1,40}$/.test(plain)) return "user_" + plain;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(name));
  return "user_" + [...new Uint8Array(digest)].slice(0, 8).map((b) => b.toString(16).padStart(2, "0")).join("");
}

// region is the country of the browser's language. It stands in for the country that the network
// in front of a deployment guesses.
function region(): { country?: string } {
  const { region } = new Intl.Locale(navigator.language);
  return region && /^[A-Z]{2}$/.test(region) ? { country: region } : {};
}

function recall(): Kept | null {
  try {
    const kept: Kept = JSON.parse(sessionStorage.getItem(place) ?? "null");
    return typeof kept?.token === "string" && typeof kept.name === "string" ? kept : null;
  } catch {
    return null;
  }
}
