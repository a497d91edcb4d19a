// How what was typed lies beside its text.
/**
 * Compares the characters that were typed, in Unicode's form NFC, with what the text begins with, by the fewest edits: a
 * character that is wrong, left out or one too many.
 */
// Diagonal d has the pairs of typed[i] and text[i + d]; a level has the largest i on each that so
// many edits can bring about (Landau and Vishkin). So a test with few mistakes takes few steps.
export function align(typed, text) {
    const n = typed.length;
    const levels = [];
    const reach = (edits, d) => levels[edits]?.get(d) ?? -Infinity;
    // From where a diagonal is reached with one edit more: wrong, too many, left out.
    const begin = (edits, d) => (edits ? Math.max(reach(edits - 1, d) + 1, reach(edits - 1, d + 1) + 1, reach(edits - 1, d - 1)) : 0);
    for (let edits = 0;; edits++) {
        levels.push(new Map());
        for (let k = 0; k <= 2 * edits; k++) {
            const d = k % 2 ? (k + 1) / 2 : -k / 2; // 0, 1, -1, 2, …: of equals the one nearest to the typed length
            let i = Math.min(begin(edits, d), n, text.length - d);
            if (i < Math.max(0, -d))
                continue;
            while (i < n && i + d < text.length && typed[i] === text[i + d])
                i++;
            levels[edits].set(d, i);
            if (i === n)
                return trace(edits, d);
        }
    }
    function trace(edits, d) {
        const alignment = { right: new Array(n + d).fill(true), next: n + d, edits };
        for (; edits; edits--) {
            // A letter too many is shown at the one before it.
            const wrong = reach(edits - 1, d) + 1, extra = reach(edits - 1, d + 1) + 1;
            const i = Math.min(begin(edits, d), n, text.length - d);
            if (wrong >= i)
                alignment.right[i + d - 1] = false;
            else if (extra >= i)
                alignment.right[Math.max(i + d++ - 1, 0)] = false;
            else
                alignment.right[i + d-- - 1] = false;
        }
        return alignment;
    }
}
