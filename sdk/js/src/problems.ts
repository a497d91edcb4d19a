// A class for each code: first the client's own failures, then the API's problems.
import { classOf } from "./errors.ts";

/** No answer came, or only a part of one. */
export const NetworkError = /* @__PURE__ */ classOf<"network">("NetworkError");
/** The answer is not one of the API's: `baseUrl` may lead elsewhere. */
export const BadAnswerError = /* @__PURE__ */ classOf<"bad-answer">("BadAnswerError");
/** No complete answer came within `timeout` milliseconds. */
export const TimeoutError = /* @__PURE__ */ classOf<"timeout">("TimeoutError");
/** The client has sent `requestsPerMinute` requests within a minute, probably in a loop. It did not send this one. */
export const TripWireError = /* @__PURE__ */ classOf<"trip-wire">("TripWireError");

export const InternalServerError = /* @__PURE__ */ classOf<"internal-server-error">("InternalServerError");
export const InvalidRequestError = /* @__PURE__ */ classOf<"invalid-request">("InvalidRequestError");
export const UnauthenticatedError = /* @__PURE__ */ classOf<"unauthenticated">("UnauthenticatedError");
export const ForbiddenError = /* @__PURE__ */ classOf<"forbidden">("ForbiddenError");
export const NotFoundError = /* @__PURE__ */ classOf<"not-found">("NotFoundError");
export const UnknownModeError = /* @__PURE__ */ classOf<"unknown-mode">("UnknownModeError");
export const UnknownSeasonError = /* @__PURE__ */ classOf<"unknown-season">("UnknownSeasonError");
export const NotOnBoardError = /* @__PURE__ */ classOf<"not-on-board">("NotOnBoardError");
export const MethodNotAllowedError = /* @__PURE__ */ classOf<"method-not-allowed">("MethodNotAllowedError");
export const TooLargeError = /* @__PURE__ */ classOf<"too-large">("TooLargeError");
export const UnsupportedMediaTypeError = /* @__PURE__ */ classOf<"unsupported-media-type">("UnsupportedMediaTypeError");
export const IdempotencyKeyReusedError = /* @__PURE__ */ classOf<"idempotency-key-reused">("IdempotencyKeyReusedError");
export const IdempotencyKeyInUseError = /* @__PURE__ */ classOf<"idempotency-key-in-use">("IdempotencyKeyInUseError");
export const RateLimitedError = /* @__PURE__ */ classOf<"rate-limited">("RateLimitedError");
export const DateClosedError = /* @__PURE__ */ classOf<"date-closed">("DateClosedError");
export const ScoreOutOfBoundsError = /* @__PURE__ */ classOf<"score-out-of-bounds">("ScoreOutOfBoundsError");
export const PlayRefusedError = /* @__PURE__ */ classOf<"play-refused">("PlayRefusedError");
export const BannedError = /* @__PURE__ */ classOf<"banned">("BannedError");
export const DeviceClaimedError = /* @__PURE__ */ classOf<"device-claimed">("DeviceClaimedError");
export const DeviceTakenError = /* @__PURE__ */ classOf<"device-taken">("DeviceTakenError");
export const NotRemovableError = /* @__PURE__ */ classOf<"not-removable">("NotRemovableError");
export const NoDatabaseError = /* @__PURE__ */ classOf<"no-database">("NoDatabaseError");
export const NoRequestError = /* @__PURE__ */ classOf<"no-request">("NoRequestError");
export const NoInviteError = /* @__PURE__ */ classOf<"no-invite">("NoInviteError");
export const PlayerBlockedError = /* @__PURE__ */ classOf<"player-blocked">("PlayerBlockedError");
export const ListFullError = /* @__PURE__ */ classOf<"list-full">("ListFullError");
export const TooLittleError = /* @__PURE__ */ classOf<"too-little">("TooLittleError");
export const UnknownDuelError = /* @__PURE__ */ classOf<"unknown-duel">("UnknownDuelError");
export const DuelDecidedError = /* @__PURE__ */ classOf<"duel-decided">("DuelDecidedError");
export const ChallengesFullError = /* @__PURE__ */ classOf<"challenges-full">("ChallengesFullError");
export const DuelStateError = /* @__PURE__ */ classOf<"duel-state">("DuelStateError");
export const UnknownRaceError = /* @__PURE__ */ classOf<"unknown-race">("UnknownRaceError");
export const RaceStateError = /* @__PURE__ */ classOf<"race-state">("RaceStateError");
export const InternalError = /* @__PURE__ */ classOf<"internal">("InternalError");
export const RulesChangedError = /* @__PURE__ */ classOf<"rules-changed">("RulesChangedError");
export const MaintenanceError = /* @__PURE__ */ classOf<"maintenance">("MaintenanceError");
export const TemporarilyUnavailableError = /* @__PURE__ */ classOf<"temporarily-unavailable">("TemporarilyUnavailableError");
export const NoLiveBoardsError = /* @__PURE__ */ classOf<"no-live-boards">("NoLiveBoardsError");
export const NoSeatError = /* @__PURE__ */ classOf<"no-seat">("NoSeatError");
