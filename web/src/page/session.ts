// Who is signed in. Deployed, the embedding page knows; locally anybody is whom they
// say they are, for as long as the tab is open.
import { playerOf } from "../parts/player.ts";
import type { Settings } from "./settings.ts";

const place = "framedle.local"; // in the tab's own storage

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
  }

  /** token is what requests of the player's own are sent with. */
  readonly token = async (asked: { fresh: boolean }): Promise<string | null> => {
    if (this.settings.local) return this.kept?.token ?? null;
    return (await this.settings.getToken?.(asked)) ?? null;
  };

  readonly player = async (): Promise<string | null> => playerOf(await this.token({ fresh: false }));

  /** name is who is signed in locally. */
  get name(): string | null {
    return this.kept?.name ?? null;
  }

  /** signIn asks the local product for a token in somebody's name. */
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
    this.changed();
  }

  signOut(): void {
    this.kept = null;
    sessionStorage.removeItem(place);
    this.changed();
  }
}

/** idOf is a player id made of a name: readable where the name is plain, else of its digest. */
export async function idOf(name: string): Promise<string> {
  const plain = name.toLowerCase().replaceAll(" ", "_");
  if (/^[a-z0-9_-]{1,40}$/.test(plain)) return "user_" + plain;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(name));
  return "user_" + [...new Uint8Array(digest)].slice(0, 8).map((b) => b.toString(16).padStart(2, "0")).join("");
}

// The country that the browser's language is of, as a network's edge would guess one.
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
