import { type Call, type ClientOptions, type KeyedCall } from "./transport.ts";
import type { components } from "./types.gen.ts";
type Schemas = components["schemas"];
export type Wallet = Schemas["Wallet"];
export type Spent = Schemas["Spent"];
export type Presence = Schemas["Presence"];
export interface Wallets {
    /** How much the caller has of each currency. */
    wallets(call?: Call): Promise<Schemas["Wallets"]>;
    /**
     * Spends `amount` of a currency. All attempts carry one Idempotency-Key, so it is spent once. Rejects with a
     * `TooLittleError` if the wallet has less; nothing is spent then.
     */
    spend(currency: string, purchase: {
        amount: number;
        item?: string;
    }, call?: KeyedCall): Promise<Spent>;
    /** How many players have sent a request in the last two minutes. It needs no token. */
    presence(call?: Call): Promise<Presence>;
}
export declare function createWallets(options: ClientOptions): Wallets;
export {};
