export interface Alignment {
    /** For each character of the text up to `next`, whether it was typed right. */
    right: boolean[];
    /** The position in the text of the character that comes next. */
    next: number;
    /** How many edits there are. The server counts `typed.length - edits` right characters. */
    edits: number;
}
/**
 * Compares the characters that were typed, in Unicode's form NFC, with what the text begins with, by the fewest edits: a
 * character that is wrong, left out or one too many.
 */
export declare function align(typed: readonly string[], text: readonly string[]): Alignment;
