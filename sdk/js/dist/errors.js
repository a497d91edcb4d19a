// rate-limited is a RateLimitedError, internal-server-error an InternalServerError.
const nameOf = (code) => ("-" + code.replace(/-error$/, "")).replace(/-(.)/g, (_, letter) => letter.toUpperCase()) + "Error";
/** Every failure, but an abort by the caller's own signal, which rejects with its reason. */
export class LeaderboardsError extends Error {
    constructor({ status, code, detail, type = "", title = detail, errors = [], openDates = [], requestId, retryAfter, cause }) {
        super(detail);
        Object.assign(this, { name: nameOf(code), status, code, detail, type, title, errors, openDates, requestId, retryAfter, cause });
    }
}
const classes = new Map();
// A class that nobody imports is left out by bundlers, since each is marked pure;
// its failures are then plain LeaderboardsErrors of the same name and code.
export function classOf(name) {
    const made = class extends LeaderboardsError {
    };
    classes.set(name, made);
    return made;
}
/** Makes the error of a code, of its class. */
export const failed = (failure) => new (classes.get(nameOf(failure.code)) ?? LeaderboardsError)(failure);
/** Of an answer that the API does not give. */
export const odd = (detail) => failed({ status: 200, code: "bad-answer", detail });
