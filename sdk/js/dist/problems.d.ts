/** No answer came, or only a part of one. */
export declare const NetworkError: import("./errors.ts").ErrorClass<"network">;
/** The answer is not one of the API's: `baseUrl` may lead elsewhere. */
export declare const BadAnswerError: import("./errors.ts").ErrorClass<"bad-answer">;
/** No complete answer came within `timeout` milliseconds. */
export declare const TimeoutError: import("./errors.ts").ErrorClass<"timeout">;
/** The client has sent `requestsPerMinute` requests within a minute, probably in a loop. It did not send this one. */
export declare const TripWireError: import("./errors.ts").ErrorClass<"trip-wire">;
export declare const InternalServerError: import("./errors.ts").ErrorClass<"internal-server-error">;
export declare const InvalidRequestError: import("./errors.ts").ErrorClass<"invalid-request">;
export declare const UnauthenticatedError: import("./errors.ts").ErrorClass<"unauthenticated">;
export declare const ForbiddenError: import("./errors.ts").ErrorClass<"forbidden">;
export declare const NotFoundError: import("./errors.ts").ErrorClass<"not-found">;
export declare const UnknownModeError: import("./errors.ts").ErrorClass<"unknown-mode">;
export declare const UnknownSeasonError: import("./errors.ts").ErrorClass<"unknown-season">;
export declare const NotOnBoardError: import("./errors.ts").ErrorClass<"not-on-board">;
export declare const MethodNotAllowedError: import("./errors.ts").ErrorClass<"method-not-allowed">;
export declare const TooLargeError: import("./errors.ts").ErrorClass<"too-large">;
export declare const UnsupportedMediaTypeError: import("./errors.ts").ErrorClass<"unsupported-media-type">;
export declare const IdempotencyKeyReusedError: import("./errors.ts").ErrorClass<"idempotency-key-reused">;
export declare const IdempotencyKeyInUseError: import("./errors.ts").ErrorClass<"idempotency-key-in-use">;
export declare const RateLimitedError: import("./errors.ts").ErrorClass<"rate-limited">;
export declare const DateClosedError: import("./errors.ts").ErrorClass<"date-closed">;
export declare const ScoreOutOfBoundsError: import("./errors.ts").ErrorClass<"score-out-of-bounds">;
export declare const PlayRefusedError: import("./errors.ts").ErrorClass<"play-refused">;
export declare const BannedError: import("./errors.ts").ErrorClass<"banned">;
export declare const DeviceClaimedError: import("./errors.ts").ErrorClass<"device-claimed">;
export declare const DeviceTakenError: import("./errors.ts").ErrorClass<"device-taken">;
export declare const NotRemovableError: import("./errors.ts").ErrorClass<"not-removable">;
export declare const NoDatabaseError: import("./errors.ts").ErrorClass<"no-database">;
export declare const NoRequestError: import("./errors.ts").ErrorClass<"no-request">;
export declare const NoInviteError: import("./errors.ts").ErrorClass<"no-invite">;
export declare const PlayerBlockedError: import("./errors.ts").ErrorClass<"player-blocked">;
export declare const ListFullError: import("./errors.ts").ErrorClass<"list-full">;
export declare const TooLittleError: import("./errors.ts").ErrorClass<"too-little">;
export declare const UnknownDuelError: import("./errors.ts").ErrorClass<"unknown-duel">;
export declare const DuelDecidedError: import("./errors.ts").ErrorClass<"duel-decided">;
export declare const ChallengesFullError: import("./errors.ts").ErrorClass<"challenges-full">;
export declare const DuelStateError: import("./errors.ts").ErrorClass<"duel-state">;
export declare const UnknownRaceError: import("./errors.ts").ErrorClass<"unknown-race">;
export declare const RaceStateError: import("./errors.ts").ErrorClass<"race-state">;
export declare const InternalError: import("./errors.ts").ErrorClass<"internal">;
export declare const RulesChangedError: import("./errors.ts").ErrorClass<"rules-changed">;
export declare const MaintenanceError: import("./errors.ts").ErrorClass<"maintenance">;
export declare const TemporarilyUnavailableError: import("./errors.ts").ErrorClass<"temporarily-unavailable">;
export declare const NoLiveBoardsError: import("./errors.ts").ErrorClass<"no-live-boards">;
export declare const NoSeatError: import("./errors.ts").ErrorClass<"no-seat">;
