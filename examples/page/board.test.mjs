// Runs the recipe against the product at LEADERBOARDS_URL, with a player's session token in
// TOKEN. It expects that nobody has played yet.
import assert from "node:assert/strict";
import { test } from "node:test";

const url = process.env.LEADERBOARDS_URL;
const token = async () => process.env.TOKEN;

// A browser has a document, and its cache sends the tag itself; fetch then returns 200 with
// the tag and the cached body.
for (const [where, isBrowser] of [["in Node", false], ["in a browser", true]]) {
  test(`a board ${where}, before and after a score`, async () => {
    if (isBrowser) globalThis.document = {};
    const { Boards } = await import(`./board.mjs?${where}`);
    const mode = isBrowser ? "daily_frame" : "clip_guesser";
    const boards = new Boards(url, token);
    assert.deepEqual((await boards.board(mode)).entries, []);
    assert.equal((await boards.card(mode)).rank, null, "not on the board yet");

    const key = crypto.randomUUID();
    const answer = await boards.submit({ mode, score: 400 }, key);
    assert.equal(answer.status, "accepted");
    assert.deepEqual(await boards.submit({ mode, score: 400 }, key), answer, "a retry is answered as the first time");

    const asked = [];
    const real = globalThis.fetch;
    globalThis.fetch = async (address, options = {}) => {
      const response = await real(address, options);
      asked.push([options.headers?.["If-None-Match"] !== undefined, response.status]);
      return response;
    };
    try {
      const board = await boards.board(mode);
      assert.deepEqual(board.entries.map(({ rank, player, score }) => [rank, player, score]), [[1, "user_ana", 400]]);
      assert.equal(await boards.board(mode), board, "nothing has changed: the same object");
      assert.notEqual(await boards.board(mode, { period: "week" }), board, "another board is another object");
    } finally {
      globalThis.fetch = real;
    }
    assert.deepEqual(asked[1], isBrowser ? [false, 200] : [true, 304]);
    assert.equal((await boards.card(mode)).rank, 1);
  });
}

test("a problem says what is wrong, to programs and to people", async () => {
  const { Boards, Problem } = await import("./board.mjs");
  const boards = new Boards(url);
  await assert.rejects(boards.board("chess"), (problem) => problem instanceof Problem && problem.status === 404 && problem.code === "unknown-mode" && /chess/.test(problem.message));
  await assert.rejects(boards.card("daily_frame"), { status: 401, code: "unauthenticated" });
});
