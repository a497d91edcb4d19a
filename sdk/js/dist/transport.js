// Sends one request to the API: timeout, retries, tokens and the trip wire. It knows no
// route.
import { failed, LeaderboardsError, odd } from "./errors.js";
// A longer Retry-After is left to the caller: the request rejects, and the error says how long.
const longestWait = 20; // seconds
const firstWait = 0.25; // seconds; doubled for each retry, and multiplied by a random share
const minute = 60_000;
export function transport({ baseUrl, getToken, fetch: given, timeout = 10_000, maxRetries = 2, requestsPerMinute = 120 }) {
    const send = (url, init) => (given ?? fetch)(url, init);
    const base = baseUrl.replace(/\/+$/, "") + "/v1";
    let sent = [];
    function trip() {
        const now = Date.now();
        sent = sent.filter((at) => at > now - minute);
        if (sent.length >= requestsPerMinute) {
            const detail = requestsPerMinute + " requests in a minute: look for a loop, or raise requestsPerMinute";
            throw failed({ status: 0, code: "trip-wire", detail });
        }
        sent.push(now);
    }
    // Makes one attempt. The timeout covers sending the request and reading the whole answer.
    async function attempt(url, init, signal, seen) {
        signal?.throwIfAborted();
        trip();
        const stop = new AbortController();
        const timer = setTimeout(() => stop.abort(stop), timeout);
        const abort = () => stop.abort();
        signal?.addEventListener("abort", abort);
        try {
            const response = await send(url, { ...init, signal: stop.signal });
            const answer = await read(response);
            seen?.(response.headers);
            return answer;
        }
        catch (cause) {
            signal?.throwIfAborted();
            if (cause instanceof LeaderboardsError)
                throw cause;
            throw failed(stop.signal.reason === stop
                ? { status: 0, code: "timeout", detail: `no answer within ${timeout} ms`, cause }
                : { status: 0, code: "network", detail: "no answer: " + cause, cause });
        }
        finally {
            clearTimeout(timer);
            signal?.removeEventListener("abort", abort);
        }
    }
    // JSON drops the parameters that are undefined.
    const address = (path, query) => base + path + ("?" + new URLSearchParams(JSON.parse(JSON.stringify(query)))).replace(/\?$/, "");
    const ask = async (path, call = {}, { method = "GET", body, own, once, fresh, seen } = {}) => {
        const { signal, idempotencyKey, ...query } = call;
        const url = address(path, query);
        const headers = {};
        const init = { method, headers };
        if (body) {
            headers["Content-Type"] = "application/json";
            init.body = JSON.stringify(body);
        }
        // All attempts have one key, so the request takes effect once, even if an answer is lost.
        if (method === "POST" && own)
            headers["Idempotency-Key"] = `"${idempotencyKey ?? newKey()}"`;
        // Some Workers have no cache modes, and throw if one is set.
        if (fresh && "cache" in Request.prototype)
            init.cache = "no-cache";
        for (let tries = once ? maxRetries : 0, renewed = false;;) {
            if (own) {
                const token = await getToken?.({ fresh: renewed });
                if (!token)
                    throw failed({ status: 401, code: "unauthenticated", detail: "sign in first: getToken gave no token" });
                headers.Authorization = "Bearer " + token;
            }
            try {
                return await attempt(url, init, signal, seen);
            }
            catch (error) {
                const { status, retryAfter } = error;
                if (status === 401 && own && !renewed) {
                    renewed = true;
                    continue;
                }
                if (!passes(error) || tries++ >= maxRetries || retryAfter > longestWait)
                    throw error;
                await wait((retryAfter ?? Math.random() * firstWait * 2 ** tries) * 1000, signal);
            }
        }
    };
    // Opens a stream: one attempt without timeout or token; the caller reads the body.
    const open = (path, query, signal) => {
        trip();
        return send(address(path, query), { headers: { Accept: "text/event-stream" }, signal });
    };
    return { ask, open };
}
/** Reports whether a failure is temporary: the same request may succeed a little later. */
export function passes(error) {
    const { status, code, retryAfter } = error;
    // 0: no answer; 409: the first request with this key is still running.
    return status === 409 ? retryAfter !== undefined : /^(0|408|429|5(?!01)..)$/.test("" + status) && code !== "trip-wire";
}
/** Waits `ms` milliseconds; rejects with the signal's reason when the signal is aborted. */
export const wait = (ms, signal) => new Promise((resolve, reject) => {
    const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        signal?.aborted ? reject(signal.reason) : resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
    if (signal?.aborted)
        end();
});
async function read(response) {
    const { ok, status, headers } = response;
    const text = await response.text();
    if (status === 204)
        return;
    const kind = headers.get("Content-Type");
    if (ok && !/json/.test(kind)) {
        throw odd(kind + " instead of JSON: does baseUrl lead to the API?");
    }
    let answer;
    try {
        answer = Object(JSON.parse(text));
    }
    catch (cause) {
        if (ok)
            throw cause;
        answer = {}; // a gateway's own page, which is not JSON
    }
    if (ok)
        return answer;
    const { code = "http-" + status, detail = "status " + status, type, title, errors, open_dates: openDates, instance: requestId } = answer;
    throw failed({ status, code, detail, type, title, errors, openDates, requestId, retryAfter: seconds(headers.get("Retry-After")) });
}
// Retry-After is a number of seconds or a date (RFC 9110, section 10.2.3).
function seconds(text) {
    if (!text)
        return;
    const value = /^\d+$/.test(text) ? +text : (Date.parse(text) - Date.now()) / 1000;
    return isNaN(value) ? undefined : Math.max(0, value);
}
// 128 random bits. Pages that are not served over https have no crypto.randomUUID.
const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join("-");
