// rate-limited is a RateLimitedError, internal-server-error an InternalServerError.
const nameOf = (code) => ("-" + code.replace(/-error$/, "")).replace(/-(.)/g, (_, letter) => letter.toUpperCase()) + "Error";
/** The class of every failure, except an abort by the caller's signal: that rejects with the signal's reason. */
export class LeaderboardsError extends Error {
    constructor({ status, code, detail, type = "", title = detail, errors = [], openDates = [], requestId, retryAfter, cause }) {
        super(detail);
        Object.assign(this, { name: nameOf(code), status, code, detail, type, title, errors, openDates, requestId, retryAfter, cause });
    }
}
const classes = new Map();
// Bundlers leave out a class that nobody imports, since each call of classOf is marked
// pure. Its failures are then plain LeaderboardsErrors with the same name and code.
export function classOf(name) {
    const made = class extends LeaderboardsError {
    };
    classes.set(name, made);
    return made;
}
/** Makes the error of a failure, in the class of its code. */
export const failed = (failure) => new (classes.get(nameOf(failure.code)) ?? LeaderboardsError)(failure);
/** Makes the error for an answer that the API does not give. */
export const odd = (detail) => failed({ status: 200, code: "bad-answer", detail });
