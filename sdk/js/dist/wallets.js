// Wallets: what plays have earned, and spending it. Presence: how many players are there.
import { transport } from "./transport.js";
export function createWallets(options) {
    const { ask } = transport(options);
    return {
        wallets: (call) => ask("/me/wallets", call, { own: true }),
        spend: (currency, purchase, call) => ask(`/me/wallets/${encodeURIComponent(currency)}/spend`, call, { method: "POST", own: true, body: purchase }),
        presence: (call) => ask("/presence", call),
    };
}
