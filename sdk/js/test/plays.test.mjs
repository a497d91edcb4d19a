// The recorder, by events as browsers send them, and what is sent of a play.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "../dist/index.js";
import { Recorder, startPlay, submitPlay } from "../dist/plays.js";

const event = (type, key, at, more = {}) => Object.assign(new Event(type), { key, code: "Key" + key.toUpperCase(), repeat: false, ctrlKey: false, metaKey: false, ...more, at });

// Dispatches an event with a given time, which only a browser can set otherwise.
function at(field, type, key, time, more) {
  const made = event(type, key, time, more);
  Object.defineProperty(made, "timeStamp", { value: time });
  field.dispatchEvent(made);
}

test("gaps and holds are those of keys that write", () => {
  const field = new EventTarget();
  const keys = new Recorder(field);
  at(field, "keydown", "Shift", 990);
  at(field, "keydown", "T", 1000.4);
  at(field, "keydown", "h", 1100.6); // before the key before is released
  at(field, "keyup", "T", 1120.4);
  at(field, "keyup", "Shift", 1125);
  at(field, "keyup", "h", 1180.6);
  at(field, "keydown", "e", 1250, { repeat: false });
  at(field, "keydown", "e", 1750, { repeat: true });
  at(field, "keyup", "e", 1800);
  at(field, "keydown", "Backspace", 1900);
  at(field, "keydown", "v", 1950, { ctrlKey: true });
  at(field, "keydown", "ArrowLeft", 1960);
  at(field, "keydown", "ß", 2000);
  at(field, "keyup", "ß", 2090);
  assert.equal(keys.keys, 4);
  assert.deepEqual(keys.stop("Theß"), { typed: "Theß", gaps: [0, 101, 149, 750], holds: [120, 80, 550, 90] });
  at(field, "keydown", "x", 3000);
  assert.equal(keys.keys, 4, "it has ended");
});

test("keys after the time do not count, and one that is down still has a hold", () => {
  const field = new EventTarget();
  const keys = new Recorder(field, 1);
  const now = performance.now();
  at(field, "keydown", "a", now);
  at(field, "keydown", "b", now + 1000);
  at(field, "keydown", "c", now + 1001);
  const { gaps, holds } = keys.stop("ab");
  assert.deepEqual(gaps, [0, 1000]);
  assert.equal(holds.length, 2);
  assert.ok(holds.every((ms) => Number.isInteger(ms) && ms >= 0));
});

test("a play is taken, and sent with what it came to", async () => {
  const sent = [];
  const play = { play: "token", mode: "time_30", player: "user_a", date: "2026-11-21", challenge: { text: "The", seconds: 30 }, expires_at: "2026-11-21T12:05:00.000Z" };
  const fetch = async (url, init) => {
    sent.push([String(url), JSON.parse(init.body)]);
    const body = String(url).endsWith("/plays") ? play : { mode: "time_30", date: "2026-11-21", player: "user_a", status: "held", submitted: 1 };
    return new Response(JSON.stringify(body), { status: 201, headers: { "Content-Type": "application/json" } });
  };
  const options = { baseUrl: "https://boards.example", getToken: () => "t", fetch };
  const started = await startPlay(options, "time_30");
  assert.equal(started.challenge.seconds, 30);
  const proof = { typed: "The", gaps: [0, 1, 2], holds: [3, 4, 5] };
  const answer = await submitPlay(createClient(options), started, { proof });
  assert.equal(answer.status, "held");
  const [[first, asked], [second, { elapsed, ...rest }]] = sent;
  assert.deepEqual([first, asked], ["https://boards.example/v1/plays", { mode: "time_30" }]);
  assert.equal(second, "https://boards.example/v1/scores");
  assert.deepEqual(rest, { mode: "time_30", play: "token", proof });
  assert.ok(Number.isInteger(elapsed) && elapsed >= 0);
});
