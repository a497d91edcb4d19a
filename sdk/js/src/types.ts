// The API's shapes, exported by the names that api/openapi.yaml gives them.
import type { components, operations } from "./types.gen.ts";

type Schemas = components["schemas"];

/** Query parameters of an operation. */
export type QueryOf<Operation extends keyof operations> = NonNullable<operations[Operation]["parameters"]["query"]>;

/** Selects a board: the current day's by default. */
export type BoardQuery = Omit<QueryOf<"getPage">, "cursor" | "offset">;

export type Game = Schemas["Game"];
export type GameMode = Schemas["GameMode"];
export type GameValue = Schemas["GameValue"];
export type Values = Schemas["Values"];
export type Period = Schemas["Period"];
export type Page = Schemas["Page"];
export type Entry = Schemas["Entry"];
export type Card = Schemas["Card"];
export type Surroundings = Schemas["Surroundings"];
export type Found = Schemas["Found"];
export type Distribution = Schemas["Distribution"];
export type FriendsBoard = Schemas["FriendsBoard"];
export type Submission = Schemas["Submission"];
type Ranked = Schemas["RankedResult"];
type Waiting<Status> = Omit<Schemas["QueuedResult"], "status"> & { status: Status };
/** The answer to a score that is on its board. */
export interface Result extends Ranked {}
/** The answer to a score that will be written shortly. */
export interface QueuedResult extends Waiting<"queued"> {}
/** The answer to a score that an operator has to approve first. */
export interface HeldResult extends Waiting<"held"> {}
/** The answer to a submission. Its `status` says which it is, and `ranked` splits it. */
export type Submitted = Result | QueuedResult | HeldResult;
export type Play = Schemas["Play"];
export type KeystrokesProof = Schemas["KeystrokesProof"];
export type HeldList = Schemas["HeldList"];
export type View = Schemas["View"];
export type Me = Schemas["Me"];
export type ProfileChange = Schemas["ProfileChange"];
export type ChangedProfile = Schemas["ChangedProfile"];
export type Erasure = Schemas["Erasure"];
export type PlayerDocument = Schemas["PlayerDocument"];
export type Friends = Schemas["Friends"];
export type Friendship = Schemas["Friendship"];
export type Relation = Schemas["Relation"];
export type Invite = Schemas["Invite"];
export type NewDuel = Schemas["NewDuel"];
export type Duel = Schemas["Duel"];
export type Duels = Schemas["Duels"];
export type DuelResult = Schemas["DuelResult"];
export type Queue = Schemas["Queue"];
export type Device = Schemas["Device"];
export type Claimed = Schemas["Claimed"];
export type Usage = Schemas["Usage"];
export type Health = Schemas["Health"];
export type Status = Schemas["Status"];
export type KeptBans = Schemas["KeptBans"];
export type NamedPlayers = Schemas["NamedPlayers"];
export type NamedPlayer = Schemas["NamedPlayer"];
export type Log = Schemas["Log"];
export type ScoreAudit = Schemas["ScoreAudit"];
export type Statistics = Schemas["Statistics"];
export type PlayedDay = Schemas["PlayedDay"];
export type OwnResults = Schemas["OwnResults"];
export type OwnResult = Schemas["OwnResult"];
export type OwnRanks = Schemas["OwnRanks"];
export type OwnRank = Schemas["OwnRank"];
export type Removal = Schemas["Removal"];
export type ScoreOf = Schemas["ScoreOf"];
export type Maintenance = Schemas["Maintenance"];
export type MaintenanceState = Schemas["MaintenanceState"];
export type DeadLetters = Schemas["DeadLetters"];
export type DeadQueue = Schemas["DeadQueue"];
export type Redrive = Schemas["Redrive"];
