/**
 * Returns the numbers of a score in the order in which they decide. If the mode ranks by one number, that is the score
 * itself; missing numbers are left out. `locale` is the browser's by default.
 */
export function showScore(mode, { score, values }, locale) {
    const show = (name, n, decimals) => typeof n === "number" ? [{ name, text: n.toLocaleString(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }) }] : [];
    return mode.values ? mode.values.flatMap(({ name, decimals }) => show(name, values?.[name], decimals)) : show("", score, mode.decimals);
}
/** Returns a score in one line, such as `92.50 wpm, 98.20 accuracy`. */
export function formatScore(mode, scored, locale) {
    return showScore(mode, scored, locale).map(({ name, text }) => (name ? `${text} ${name.replaceAll("_", " ")}` : text)).join(", ");
}
/** Returns a number below 0 if `a` leads, above 0 if `b` leads, 0 if they are equal and the earlier play decides. */
export function compareScores(mode, a, b) {
    for (const { name, order } of mode.values ?? [{ name: "", order: mode.order }]) {
        const by = (name ? a.values[name] - b.values[name] : a.score - b.score) * (order === "asc" ? 1 : -1);
        if (by)
            return by;
    }
    return 0;
}
