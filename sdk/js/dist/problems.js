// A class for each code: of the API's problems, and of what can happen to a request.
import { classOf } from "./errors.js";
/** There was no answer, or half of one. */
export const NetworkError = /* @__PURE__ */ classOf("network");
/** There was an answer that is none of the API's; as when `baseUrl` leads elsewhere. */
export const BadAnswerError = /* @__PURE__ */ classOf("bad-answer");
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
