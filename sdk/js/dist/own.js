/** How old a page can be, in milliseconds: the longest that a game may have caches hold one. */
export const cacheAge = 60_000;
/** What to remember of an answer; nowhere is exact but on the boards of everybody. */
export function remember(answer, date) {
    const now = Date.now();
    const own = { at: Math.floor((Date.parse(date ?? "") || now) / 1000), until: now + cacheAge, standings: [] };
    if (answer.status === "queued")
        return own;
    const { mode, player, rank = 1, score, total = rank, view } = answer;
    const shown = view?.around?.entries.find((row) => row.player === player);
    own.standings.push({ mode, period: "day", key: answer.date, entry: { ...shown, player, rank, score, me: true }, total, isNew: answer.status === "accepted" });
    const week = view?.week;
    if (week?.rank) {
        own.standings.push({ mode, period: "week", key: week.key, entry: { ...shown, player, rank: week.rank, score: week.score, me: true }, total: week.total, isNew: false });
    }
    return own;
}
/**
 * The page with the own row where it belongs. A page of after the submission stays as it is, and so does one that
 * has the row with the score that stands. Else the row is taken from where it was, and put in before the rows that it
 * leads; past the last row only where the board ends there, since the next page may begin with it.
 */
export function merge(page, own, limit = 100) {
    if (!own || own.until < Date.now() || page.scope !== "global")
        return page;
    const standing = own.standings.find(({ mode, period, key }) => mode === page.mode && period === page.period && key === page.key);
    if (!standing)
        return page;
    const { entry, total, isNew } = standing;
    const { player, rank, score } = entry;
    const was = page.entries.findIndex((row) => row.player === player);
    const before = page.entries[was];
    if (before?.score === score || Date.parse(page.updated_at) / 1000 > own.at) {
        return before ? { ...page, entries: page.entries.map((row) => (row.player === player ? { ...row, me: true } : row)) } : page;
    }
    // Without the row as it was. Ranks below it move up: those that it led.
    const entries = page.entries.filter((row) => row !== before).map((row) => (before && row.rank > before.rank ? { ...row, rank: row.rank - 1 } : row));
    const first = entries[0]?.rank ?? 1;
    const at = entries.findIndex((row) => row.rank > rank || (row.rank === rank && row.score !== score));
    const fits = at < 0 ? !page.next_cursor && entries.length < limit : at > 0 || rank >= first;
    const atTop = first === 1 || rank >= first;
    if (fits && atTop) {
        const place = at < 0 ? entries.length : at;
        entries.splice(place, 0, { ...before, ...entry });
        for (let i = place + 1; i < entries.length; i++)
            entries[i] = { ...entries[i], rank: entries[i].rank + 1 };
    }
    return { ...page, entries, total: Math.max(page.total + (fits && isNew && !before ? 1 : 0), total) };
}
