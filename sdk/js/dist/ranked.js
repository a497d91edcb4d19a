/** ranked reports whether the answer to a submission has a rank: the score is on its board. */
export const ranked = (answer) => "rank" in answer;
