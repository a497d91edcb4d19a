// What a made-up API answers, for each state that the gallery shows.
import type { Card, Entry, Page } from "../../../sdk/js/src/types.ts";

const names: [string, string][] = [["Maya Moth", "BR"], ["Iker Vale", "ES"], ["Dev Puck", "IN"], ["ليان بدر", "EG"], ["Kavi Pine", "IN"], ["Zoë 🦊", "DE"], ["Maximiliane von Hohenstaufen-Waldeck", "AT"], ["葵", "JP"], ["Tainá Dune", "BR"], ["Ren Flint", "US"], ["Nia Echo", "KE"], ["Gil Comet", "PT"]];

const total = 4812;
const today = new Date().toISOString().slice(0, 10);

export const you = "user_you";

const entries = (n: number): Entry[] => names.slice(0, n).map(([name, country], i) => ({ rank: i + 1, player: "user_" + i, score: 950 - 25 * i, name, country }));

const own = (rank: number, score: number): Entry => ({ rank, player: you, score, name: "Uma Reed", country: "FR" });

/** page is a board of the day. */
export const page = (given: Partial<Page> = {}): Page => ({ mode: "daily", period: "day", key: today, scope: "global", total, updated_at: new Date().toISOString(), closed: false, entries: entries(10), next_cursor: "more", ...given });

/** card is the player's own. */
export const card = (rank: number | null, given: Partial<Card> = {}): Card => ({
  mode: "daily", period: "day", key: today, scope: "global", player: you, name: "Uma Reed", country: "FR", rank, score: rank === null ? null : 875, total, percentile: 96, top_percent: 4, rank_change: 3, details: { guesses: 3 }, ...given,
} as Card);

/** among has the player on the fourth place. */
export const among = (): Page => page({ entries: [...entries(3), own(4, 875), ...entries(9).slice(3).map((entry) => ({ ...entry, rank: entry.rank + 1 }))] });

/** around are the player's neighbours on a far place. */
export const around = () => ({ ...page(), ...card(1204), entries: [{ ...entries(11)[10]!, rank: 1203, score: 431 }, own(1204, 430), { ...entries(12)[11]!, rank: 1205, score: 428 }] });

/** valued is a board that ranks by two values. */
export const valued = (): Page => page({ entries: entries(5).map((entry, i) => ({ ...entry, values: { wpm: 92.5 - 4 * i, accuracy: 98.2 - i } })), next_cursor: undefined } as Partial<Page>);

let turn = 0;

/** moving is a board that is another each time. */
export function moving(): Page {
  const all = entries(8).map((entry, i) => ({ ...entry, score: entry.score + ((turn * (i + 3) * 17) % 90) }));
  turn++;
  return page({ entries: all.sort((a, b) => b.score - a.score).map((entry, i) => ({ ...entry, rank: i + 1 })) });
}

const json = (body: unknown, status = 200, headers = {}) => new Response(JSON.stringify(body), { status, headers: { "Content-Type": status < 400 ? "application/json" : "application/problem+json", ...headers } });

/** problem is a refusal. */
export const problem = (status: number, code: string, detail: string, headers = {}) => json({ type: "about:blank", title: code, status, code, detail }, status, headers);

/** answer makes an answer to each route from what they return. */
export function answer(url: URL, given: { page?: () => Page; card?: () => Card }): Response {
  if (url.pathname.includes("/live/")) return problem(501, "no-live-boards", "this API streams no boards");
  if (/\/players\//.test(url.pathname)) {
    const player = decodeURIComponent(url.pathname.split("/players/")[1]!);
    if (player === "me") return json((given.card ?? (() => card(null, { rank_change: undefined, details: undefined } as never)))());
    const entry = page({ entries: entries(12) }).entries.find((entry) => entry.player === player);
    return json(card(entry?.rank ?? 1, { ...entry, top_percent: entry ? (100 * entry.rank) / total : 1, rank_change: 0 }));
  }
  if (/\/around\//.test(url.pathname)) return json(around());
  const shown = given.page?.() ?? page();
  return json(url.searchParams.has("cursor") ? { ...shown, entries: entries(12).slice(10).map((entry) => ({ ...entry })), next_cursor: undefined } : shown);
}
