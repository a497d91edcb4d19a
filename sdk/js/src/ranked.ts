import type { Result, Submitted } from "./types.ts";

/** ranked reports whether the answer to a submission has a rank: the score is on its board. */
export const ranked = (answer: Submitted): answer is Result => "rank" in answer;
