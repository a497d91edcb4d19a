// A class for each code: first the client's own failures, then the API's problems.
import { classOf } from "./errors.js";
/** No answer came, or only a part of one. */
export const NetworkError = /* @__PURE__ */ classOf("NetworkError");
/** The answer is not one of the API's: `baseUrl` may lead elsewhere. */
export const BadAnswerError = /* @__PURE__ */ classOf("BadAnswerError");
/** No complete answer came within `timeout` milliseconds. */
export const TimeoutError = /* @__PURE__ */ classOf("TimeoutError");
/** The client has sent `requestsPerMinute` requests within a minute, probably in a loop. It did not send this one. */
export const TripWireError = /* @__PURE__ */ classOf("TripWireError");
export const InternalServerError = /* @__PURE__ */ classOf("InternalServerError");
export const InvalidRequestError = /* @__PURE__ */ classOf("InvalidRequestError");
export const UnauthenticatedError = /* @__PURE__ */ classOf("UnauthenticatedError");
export const ForbiddenError = /* @__PURE__ */ classOf("ForbiddenError");
export const NotFoundError = /* @__PURE__ */ classOf("NotFoundError");
export const UnknownModeError = /* @__PURE__ */ classOf("UnknownModeError");
export const UnknownSeasonError = /* @__PURE__ */ classOf("UnknownSeasonError");
export const NotOnBoardError = /* @__PURE__ */ classOf("NotOnBoardError");
export const MethodNotAllowedError = /* @__PURE__ */ classOf("MethodNotAllowedError");
export const TooLargeError = /* @__PURE__ */ classOf("TooLargeError");
export const UnsupportedMediaTypeError = /* @__PURE__ */ classOf("UnsupportedMediaTypeError");
export const IdempotencyKeyReusedError = /* @__PURE__ */ classOf("IdempotencyKeyReusedError");
export const IdempotencyKeyInUseError = /* @__PURE__ */ classOf("IdempotencyKeyInUseError");
export const RateLimitedError = /* @__PURE__ */ classOf("RateLimitedError");
export const DateClosedError = /* @__PURE__ */ classOf("DateClosedError");
export const ScoreOutOfBoundsError = /* @__PURE__ */ classOf("ScoreOutOfBoundsError");
export const PlayRefusedError = /* @__PURE__ */ classOf("PlayRefusedError");
export const BannedError = /* @__PURE__ */ classOf("BannedError");
export const DeviceClaimedError = /* @__PURE__ */ classOf("DeviceClaimedError");
export const DeviceTakenError = /* @__PURE__ */ classOf("DeviceTakenError");
export const NotRemovableError = /* @__PURE__ */ classOf("NotRemovableError");
export const NoDatabaseError = /* @__PURE__ */ classOf("NoDatabaseError");
export const NoRequestError = /* @__PURE__ */ classOf("NoRequestError");
export const NoInviteError = /* @__PURE__ */ classOf("NoInviteError");
export const PlayerBlockedError = /* @__PURE__ */ classOf("PlayerBlockedError");
export const ListFullError = /* @__PURE__ */ classOf("ListFullError");
export const TooLittleError = /* @__PURE__ */ classOf("TooLittleError");
export const UnknownDuelError = /* @__PURE__ */ classOf("UnknownDuelError");
export const DuelDecidedError = /* @__PURE__ */ classOf("DuelDecidedError");
export const ChallengesFullError = /* @__PURE__ */ classOf("ChallengesFullError");
export const DuelStateError = /* @__PURE__ */ classOf("DuelStateError");
export const UnknownRaceError = /* @__PURE__ */ classOf("UnknownRaceError");
export const RaceStateError = /* @__PURE__ */ classOf("RaceStateError");
export const InternalError = /* @__PURE__ */ classOf("InternalError");
export const RulesChangedError = /* @__PURE__ */ classOf("RulesChangedError");
export const MaintenanceError = /* @__PURE__ */ classOf("MaintenanceError");
export const TemporarilyUnavailableError = /* @__PURE__ */ classOf("TemporarilyUnavailableError");
export const NoLiveBoardsError = /* @__PURE__ */ classOf("NoLiveBoardsError");
export const NoSeatError = /* @__PURE__ */ classOf("NoSeatError");
