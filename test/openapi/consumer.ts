// What a frontend writes against the generated types. It is compiled and not run: each
// line fails to compile where a type is not exactly what it should be.
import type { components, operations, paths } from "./api.gen.js";

type Schemas = components["schemas"];
type Exactly<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function is<_ extends true>(): void {}

type Json = { [key: string]: Json } | unknown[] | string | number | boolean | null;
function asJson(_: Json | undefined): void {}

/** Whether a type has a part that says nothing: any, unknown, or an object without members. */
type SaysNothing<T> = unknown extends T ? true : Exactly<T, Record<string, never>>;

// Ranks: numbers on rows; null for a caller who is not there yet.
is<Exactly<Schemas["Entry"]["rank"], number>>();
is<Exactly<Schemas["Card"]["rank"], number | null>>();
is<Exactly<Schemas["Card"]["score"], number | null>>();
is<Exactly<Schemas["Card"]["previous_rank"], number | null>>();
is<Exactly<Schemas["Card"]["rank_change"], number | null>>();
is<Exactly<Schemas["Surroundings"]["rank"], number | null>>();
is<Exactly<Schemas["TodaysRank"]["rank"], number>>();
is<Exactly<Schemas["RatingChange"]["rank"], number>>();
is<Exactly<Schemas["Me"]["xp_rank"], number | null | undefined>>();
is<Exactly<Schemas["Me"]["next_level_xp"], number | undefined>>();
is<Exactly<Schemas["Result"]["rank"], number | undefined>>(); // not there in a batch for a large board
is<Exactly<Schemas["RankedResult"]["rank"], number>>();
is<Exactly<Schemas["RankedResult"]["total"], number>>();
is<Exactly<Schemas["Entry"]["me"], true | undefined>>();

// The answer to one score.
type Submitted = operations["submitScore"]["responses"][201]["content"]["application/json"];
is<Exactly<Submitted["status"], "accepted" | "improved" | "kept" | "replayed">>();
is<Exactly<Submitted["rank"], number>>();
type View = NonNullable<Submitted["view"]>;
is<Exactly<View["page"], Schemas["Page"] | null | undefined>>();
is<Exactly<View["around"], Schemas["Surroundings"] | null | undefined>>();
is<Exactly<View["friends"], Schemas["FriendsBoard"] | null | undefined>>();
is<Exactly<View["week"], Schemas["Card"] | null | undefined>>();
is<Exactly<View["me"], Schemas["OwnStanding"] | null | undefined>>();
is<Exactly<NonNullable<View["problems"]>["week"], Schemas["Problem"] | undefined>>();

// What is sent with it.
type Sent = NonNullable<operations["submitScore"]["requestBody"]>["content"]["application/json"];
is<Exactly<Sent["mode"], string>>();
is<Exactly<Sent["score"], number | undefined>>();
is<Exactly<Sent["values"], { [value: string]: number } | undefined>>();
is<Exactly<Sent["view"], ("page" | "around" | "friends" | "week" | "me")[] | null | undefined>>();
const sent: Sent = { mode: "daily_frame", score: 800, details: { guesses: 2, grid: ["x", null] }, view: ["around", "me"] };
// @ts-expect-error a score is a number
const wrong: Sent = { mode: "daily_frame", score: "800" };
// @ts-expect-error no other part is there
const part: Sent = { mode: "daily_frame", score: 800, view: ["month"] };
asJson(sent.details);
is<Exactly<SaysNothing<Sent["details"]>, false>>();
is<Exactly<SaysNothing<Schemas["Card"]["details"]>, false>>();
is<Exactly<SaysNothing<Schemas["KeptResult"]["details"]>, false>>();
is<Exactly<SaysNothing<Schemas["Act"]["detail"]>, false>>();

// A batch: each item is a result or a problem, and one look tells which.
type BatchItem = operations["submitScores"]["responses"][200]["content"]["application/json"]["results"][number];
is<Exactly<BatchItem, Schemas["Result"] | { problem: Schemas["Problem"] }>>();
export function total(items: BatchItem[]): { ranks: number; codes: string[] } {
	const told = { ranks: 0, codes: [] as string[] };
	for (const item of items) {
		if ("problem" in item) {
			is<Exactly<typeof item.problem.code, Schemas["ProblemCode"]>>();
			told.codes.push(item.problem.code);
		} else {
			told.ranks += item.rank ?? 0;
		}
	}
	return told;
}
type BatchSent = NonNullable<operations["submitScores"]["requestBody"]>["content"]["application/json"]["scores"][number];
is<Exactly<BatchSent["player"], string>>();
is<Exactly<BatchSent["score"], number | undefined>>();
// @ts-expect-error a batch shows no view
const batched: BatchSent = { mode: "daily_frame", player: "user_a", score: 1, view: ["me"] };

// Events of Clerk's, told apart by their type.
type Event = NonNullable<operations["takeClerkWebhook"]["requestBody"]>["content"]["application/json"];
export function about(event: Event): string {
	switch (event.type) {
		case "user.created":
		case "user.updated":
			is<Exactly<typeof event.data.first_name, string | null | undefined>>();
			is<Exactly<typeof event.data.updated_at, number>>();
			return event.data.id;
		case "user.deleted":
			return event.data.id;
		default:
			is<Exactly<typeof event.data.organization.id, string>>();
			return event.data.public_user_data.user_id;
	}
}

// Two answers of one route are told apart by their status.
type Queued = operations["joinQueue"]["responses"][200]["content"]["application/json"];
export function poll(q: Queued): number | undefined {
	return q.status === "queued" ? q.poll_after : undefined;
}

// Problems.
is<Exactly<Schemas["Problem"]["open_dates"], string[] | undefined>>();
is<Exactly<Schemas["Problem"]["code"], Schemas["ProblemCode"]>>();
const code: Schemas["ProblemCode"] = "rate-limited";
// @ts-expect-error there is no such code
const noCode: Schemas["ProblemCode"] = "rate_limited";

// Every request body and every good answer says something, but for those that are empty.
type Body<O> = O extends { requestBody?: infer R } ? ([NonNullable<R>] extends [never] ? "none" : NonNullable<R> extends { content: { "application/json": infer B } } ? B : "none") : "none";
type Good<O> = O extends { responses: { 200: { content: { "application/json": infer A } } } } ? A : "none";
type Silent<T> = { [K in keyof T]: SaysNothing<T[K]> extends true ? K : never }[keyof T];
type Bodies = { [K in keyof operations]: Body<operations[K]> };
type Answers = { [K in keyof operations]: Good<operations[K]> };
type Empty = "acceptRequest" | "acceptInvite" | "makeDevice" | "rematch";
is<Exactly<Silent<Bodies>, Empty>>();
is<Exactly<Silent<Answers>, never>>();
is<Exactly<paths["/v1/game"]["get"], operations["getGame"]>>();

export { batched, code, noCode, part, sent, wrong };
