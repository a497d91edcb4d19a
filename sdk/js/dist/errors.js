/** Every failure, but an abort by the caller's own signal, which rejects with its reason. */
export class LeaderboardsError extends Error {
    constructor({ status, code, detail, type = "", title = detail, errors = [], openDates = [], requestId, retryAfter, cause }) {
        super(detail);
        const name = ("-" + code.replace(/-error$/, "")).replace(/-(.)/g, (_, letter) => letter.toUpperCase()) + "Error";
        Object.assign(this, { name, status, code, detail, type, title, errors, openDates, requestId, retryAfter, cause });
    }
}
const classes = new Map();
// A class that nobody imports is left out by bundlers, since each is marked pure;
// its failures are then plain LeaderboardsErrors of the same name and code.
export function classOf(code) {
    const made = class extends LeaderboardsError {
    };
    classes.set(code, made);
    return made;
}
/** Makes the error of a code, of its class. */
export const failed = (failure) => new (classes.get(failure.code) ?? LeaderboardsError)(failure);
/** Of an answer that the API does not give. */
export const odd = (detail) => failed({ status: 200, code: "bad-answer", detail });
