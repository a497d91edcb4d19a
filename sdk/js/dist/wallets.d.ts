import { type Call, type ClientOptions, type KeyedCall } from "./transport.ts";
import type { components } from "./types.gen.ts";
type Schemas = components["schemas"];
export type Wallet = Schemas["Wallet"];
export type Spent = Schemas["Spent"];
export type Presence = Schemas["Presence"];
export interface Wallets {
    /** What the caller has, by currency. */
    wallets(call?: Call): Promise<Schemas["Wallets"]>;
    /** Spends once, however often it has to be sent, or rejects with a `TooLittleError`. */
    spend(currency: string, purchase: {
        amount: number;
        item?: string;
    }, call?: KeyedCall): Promise<Spent>;
    /** How many players are there; anybody may ask. */
    presence(call?: Call): Promise<Presence>;
}
export declare function createWallets(options: ClientOptions): Wallets;
export {};
