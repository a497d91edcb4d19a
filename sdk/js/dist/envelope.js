// For frontends that expect an envelope: every method resolves to `{data, error, meta}`,
// also when a request fails. Periods are `daily`, `weekly`, `monthly` and `alltime`. A
// method still rejects after an abort by the caller's signal.
import { createClient } from "./client.js";
import { LeaderboardsError } from "./errors.js";
const periods = { daily: "day", weekly: "week", monthly: "month", alltime: "alltime" };
export function createEnvelopeClient(options) {
    const client = createClient(options);
    const wrapped = {};
    for (const [name, method] of Object.entries(client)) {
        if (name === "entries" || name === "live")
            continue;
        wrapped[name] = async (...given) => {
            const meta = (rest) => ({ timestamp: new Date().toISOString(), ...rest });
            try {
                const data = await method(...given.map(worded));
                const { total, next_cursor: cursor } = Object(data);
                return { data, error: null, meta: meta({ total, cursor }) };
            }
            catch (thrown) {
                if (!(thrown instanceof LeaderboardsError))
                    throw thrown; // an abort, or a mistake in a program
                const { code, message, status, errors: details, requestId, retryAfter } = thrown;
                return { data: null, error: { code, message, status, details }, meta: meta({ requestId, retryAfter }) };
            }
        };
    }
    return wrapped;
}
// Translates the frontend's name of a period into the API's. An unknown name is sent as
// it is, and the API refuses it.
function worded(given) {
    const period = given?.period;
    return period && Object.hasOwn(periods, period) ? { ...given, period: periods[period] } : given;
}
