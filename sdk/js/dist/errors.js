/** Every failure, but an abort by the caller's own signal, which rejects with its reason. */
export class LeaderboardsError extends Error {
    /** The HTTP status; 0 where there was no answer. */
    status;
    /** A ProblemCode, or `network`, `timeout`, `trip-wire`, or `http-502` where a gateway answered by itself. */
    code;
    /** Leads to the explanation of the code; empty where there is none. */
    type;
    title;
    detail;
    errors;
    /** With `date-closed`: the dates that take scores now. */
    openDates;
    /** By which the operator finds the request in the log. */
    requestId;
    /** Seconds after which the same request may be sent again. */
    retryAfter;
    constructor(status, code, detail, problem = {}, retryAfter, requestId, cause) {
        super(detail, cause === undefined ? undefined : { cause });
        this.name = code.replace(/(?:^|-)(.)/g, (_, letter) => letter.toUpperCase()) + "Error";
        this.status = status;
        this.code = code;
        this.type = problem.type ?? "";
        this.title = problem.title ?? detail;
        this.detail = detail;
        this.errors = problem.errors ?? [];
        this.openDates = problem.open_dates ?? [];
        this.requestId = requestId ?? problem.instance;
        this.retryAfter = retryAfter;
    }
}
const classes = {};
// A class that nobody imports is left out by bundlers, since each is marked pure;
// its failures are then plain LeaderboardsErrors of the same name and code.
function classOf(code) {
    return (classes[code] = class extends LeaderboardsError {
    });
}
/** Makes the error of a code, of its class. */
export function failure(status, code, ...rest) {
    return new (classes[code] ?? LeaderboardsError)(status, code, ...rest);
}
/** There was no answer, or none that can be read. */
export const NetworkError = /* @__PURE__ */ classOf("network");
/** There was no answer in time. */
export const TimeoutError = /* @__PURE__ */ classOf("timeout");
/** So many requests were sent within a minute that a loop must be at fault; this one was not sent. */
export const TripWireError = /* @__PURE__ */ classOf("trip-wire");
export const InternalServerError = /* @__PURE__ */ classOf("internal-server-error");
export const InvalidRequestError = /* @__PURE__ */ classOf("invalid-request");
export const UnauthenticatedError = /* @__PURE__ */ classOf("unauthenticated");
export const ForbiddenError = /* @__PURE__ */ classOf("forbidden");
export const NotFoundError = /* @__PURE__ */ classOf("not-found");
export const UnknownModeError = /* @__PURE__ */ classOf("unknown-mode");
export const UnknownSeasonError = /* @__PURE__ */ classOf("unknown-season");
export const NotOnBoardError = /* @__PURE__ */ classOf("not-on-board");
export const MethodNotAllowedError = /* @__PURE__ */ classOf("method-not-allowed");
export const TooLargeError = /* @__PURE__ */ classOf("too-large");
export const UnsupportedMediaTypeError = /* @__PURE__ */ classOf("unsupported-media-type");
export const IdempotencyKeyReusedError = /* @__PURE__ */ classOf("idempotency-key-reused");
export const IdempotencyKeyInUseError = /* @__PURE__ */ classOf("idempotency-key-in-use");
export const RateLimitedError = /* @__PURE__ */ classOf("rate-limited");
export const DateClosedError = /* @__PURE__ */ classOf("date-closed");
export const ScoreOutOfBoundsError = /* @__PURE__ */ classOf("score-out-of-bounds");
export const BannedError = /* @__PURE__ */ classOf("banned");
export const DeviceClaimedError = /* @__PURE__ */ classOf("device-claimed");
export const DeviceTakenError = /* @__PURE__ */ classOf("device-taken");
export const NotRemovableError = /* @__PURE__ */ classOf("not-removable");
export const NoDatabaseError = /* @__PURE__ */ classOf("no-database");
export const NoRequestError = /* @__PURE__ */ classOf("no-request");
export const NoInviteError = /* @__PURE__ */ classOf("no-invite");
export const PlayerBlockedError = /* @__PURE__ */ classOf("player-blocked");
export const ListFullError = /* @__PURE__ */ classOf("list-full");
export const UnknownDuelError = /* @__PURE__ */ classOf("unknown-duel");
export const DuelDecidedError = /* @__PURE__ */ classOf("duel-decided");
export const ChallengesFullError = /* @__PURE__ */ classOf("challenges-full");
export const DuelStateError = /* @__PURE__ */ classOf("duel-state");
export const InternalError = /* @__PURE__ */ classOf("internal");
export const RulesChangedError = /* @__PURE__ */ classOf("rules-changed");
export const MaintenanceError = /* @__PURE__ */ classOf("maintenance");
export const TemporarilyUnavailableError = /* @__PURE__ */ classOf("temporarily-unavailable");
