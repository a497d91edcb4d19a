import type { components } from "./types.gen.ts";
/** RFC 9457, as the API writes it. */
export type Problem = components["schemas"]["Problem"];
/** The codes of problems that the API answers, explained in docs/problems.md. */
export type ProblemCode = Problem["code"];
/** One wrong field: a JSON pointer into the body, `?name` of the query, `{name}` of the path. */
export type FieldError = components["schemas"]["FieldError"];
/** Every failure, but an abort by the caller's own signal, which rejects with its reason. */
export declare class LeaderboardsError extends Error {
    /** The HTTP status; 0 where there was no answer. */
    readonly status: number;
    /** A ProblemCode, or `network`, `timeout`, `trip-wire`, or `http-502` where a gateway answered by itself. */
    readonly code: string;
    /** Leads to the explanation of the code; empty where there is none. */
    readonly type: string;
    readonly title: string;
    readonly detail: string;
    readonly errors: readonly FieldError[];
    /** With `date-closed`: the dates that take scores now. */
    readonly openDates: readonly string[];
    /** By which the operator finds the request in the log. */
    readonly requestId: string | undefined;
    /** Seconds after which the same request may be sent again. */
    readonly retryAfter: number | undefined;
    constructor(status: number, code: string, detail: string, problem?: Partial<Problem>, retryAfter?: number, requestId?: string, cause?: unknown);
}
/** The class of one code. */
export interface ErrorClass<Code extends string> {
    new (...fields: ConstructorParameters<typeof LeaderboardsError>): LeaderboardsError & {
        readonly code: Code;
    };
}
/** Makes the error of a code, of its class. */
export declare function failure(status: number, code: string, ...rest: [detail: string, problem?: Partial<Problem>, retryAfter?: number, requestId?: string, cause?: unknown]): LeaderboardsError;
/** There was no answer, or none that can be read. */
export declare const NetworkError: ErrorClass<"network">;
/** There was no answer in time. */
export declare const TimeoutError: ErrorClass<"timeout">;
/** So many requests were sent within a minute that a loop must be at fault; this one was not sent. */
export declare const TripWireError: ErrorClass<"trip-wire">;
export declare const InternalServerError: ErrorClass<"internal-server-error">;
export declare const InvalidRequestError: ErrorClass<"invalid-request">;
export declare const UnauthenticatedError: ErrorClass<"unauthenticated">;
export declare const ForbiddenError: ErrorClass<"forbidden">;
export declare const NotFoundError: ErrorClass<"not-found">;
export declare const UnknownModeError: ErrorClass<"unknown-mode">;
export declare const UnknownSeasonError: ErrorClass<"unknown-season">;
export declare const NotOnBoardError: ErrorClass<"not-on-board">;
export declare const MethodNotAllowedError: ErrorClass<"method-not-allowed">;
export declare const TooLargeError: ErrorClass<"too-large">;
export declare const UnsupportedMediaTypeError: ErrorClass<"unsupported-media-type">;
export declare const IdempotencyKeyReusedError: ErrorClass<"idempotency-key-reused">;
export declare const IdempotencyKeyInUseError: ErrorClass<"idempotency-key-in-use">;
export declare const RateLimitedError: ErrorClass<"rate-limited">;
export declare const DateClosedError: ErrorClass<"date-closed">;
export declare const ScoreOutOfBoundsError: ErrorClass<"score-out-of-bounds">;
export declare const BannedError: ErrorClass<"banned">;
export declare const DeviceClaimedError: ErrorClass<"device-claimed">;
export declare const DeviceTakenError: ErrorClass<"device-taken">;
export declare const NotRemovableError: ErrorClass<"not-removable">;
export declare const NoDatabaseError: ErrorClass<"no-database">;
export declare const NoRequestError: ErrorClass<"no-request">;
export declare const NoInviteError: ErrorClass<"no-invite">;
export declare const PlayerBlockedError: ErrorClass<"player-blocked">;
export declare const ListFullError: ErrorClass<"list-full">;
export declare const UnknownDuelError: ErrorClass<"unknown-duel">;
export declare const DuelDecidedError: ErrorClass<"duel-decided">;
export declare const ChallengesFullError: ErrorClass<"challenges-full">;
export declare const DuelStateError: ErrorClass<"duel-state">;
export declare const InternalError: ErrorClass<"internal">;
export declare const RulesChangedError: ErrorClass<"rules-changed">;
export declare const MaintenanceError: ErrorClass<"maintenance">;
export declare const TemporarilyUnavailableError: ErrorClass<"temporarily-unavailable">;
