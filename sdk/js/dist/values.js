/** The numbers of a score, the first to decide first: of one without values itself, of none nothing. */
export function showScore(mode, { score, values }, locale) {
    const show = (name, n, decimals) => typeof n === "number" ? [{ name, text: n.toLocaleString(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }) }] : [];
    return mode.values ? mode.values.flatMap(({ name, decimals }) => show(name, values?.[name], decimals)) : show("", score, mode.decimals);
}
/** A score in one line, as in `92.50 wpm, 98.20 accuracy`. */
export function formatScore(mode, scored, locale) {
    return showScore(mode, scored, locale).map(({ name, text }) => (name ? `${text} ${name.replaceAll("_", " ")}` : text)).join(", ");
}
/** Below 0 where the first leads the second, above 0 where the second leads, 0 where who was earlier decides. */
export function compareScores(mode, a, b) {
    for (const { name, order } of mode.values ?? [{ name: "", order: mode.order }]) {
        const by = (name ? a.values[name] - b.values[name] : a.score - b.score) * (order === "asc" ? 1 : -1);
        if (by)
            return by;
    }
    return 0;
}
