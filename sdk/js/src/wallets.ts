// What plays have earned, what it is spent on, and how many players are there.
import { transport, type Call, type ClientOptions, type KeyedCall } from "./transport.ts";
import type { components } from "./types.gen.ts";

type Schemas = components["schemas"];
export type Wallet = Schemas["Wallet"];
export type Spent = Schemas["Spent"];
export type Presence = Schemas["Presence"];

export interface Wallets {
  /** What the caller has, by currency. */
  wallets(call?: Call): Promise<Schemas["Wallets"]>;
  /** Spends once, however often it has to be sent, or rejects with a `TooLittleError`. */
  spend(currency: string, purchase: { amount: number; item?: string }, call?: KeyedCall): Promise<Spent>;
  /** How many players are there; anybody may ask. */
  presence(call?: Call): Promise<Presence>;
}

export function createWallets(options: ClientOptions): Wallets {
  const { ask } = transport(options);
  return {
    wallets: (call) => ask("/me/wallets", call, { own: true }),
    spend: (currency, purchase, call) => ask(`/me/wallets/${encodeURIComponent(currency)}/spend`, call, { method: "POST", own: true, body: purchase }),
    presence: (call) => ask("/presence", call),
  };
}
