// The recorder, by events as browsers send them, and what is sent of a play.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "../dist/index.js";
import { align, Recorder, startPlay, submitPlay } from "../dist/plays.js";

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

// What browsers send when keys compose. A step is a key, or [key, what follows its key down].
const start = ["compositionstart", ""];
const update = (data) => ["compositionupdate", data];
const end = (data) => ["compositionend", data];
const text = (data) => ["input", data];

function compose(typed, steps, { hangs } = {}) {
  const field = new EventTarget();
  const keys = new Recorder(field);
  let time = 1000;
  for (const [key, ...events] of steps) {
    const [name, code = "Key", isComposing = false] = [].concat(key);
    at(field, "keydown", name, (time += 100), { code, isComposing });
    for (const [type, data] of events) {
      field.dispatchEvent(Object.assign(new Event(type), { data, inputType: type === "input" ? "insertText" : undefined }));
    }
    at(field, "keyup", name, time + 50, { code });
  }
  if (hangs) field.dispatchEvent(Object.assign(new Event("compositionend"), { data: hangs }));
  const { gaps, composed } = keys.stop(typed);
  return [gaps.length, composed];
}

test("it says how many keys only composed", () => {
  const p = (...events) => ["Process", ...events];
  const korean = [p(start, update("ㅎ")), p(update("하")), p(update("한")), p(end("한"), start, update("ㄱ")), p(update("구")), p(update("국"))];
  assert.deepEqual(compose("한국", korean), [6, 4], "the last one has not ended");
  assert.deepEqual(compose("한국", korean, { hangs: "국" }), [6, 4]);
  assert.deepEqual(compose("한국 한국", [...korean, p(end("국"), text(" ")), ...korean]), [13, 8]);
  const mac = (key, composing, ...events) => [[key, "KeyA", composing], ...events];
  assert.deepEqual(compose("한국", [
    mac("ㅎ", false, start, update("ㅎ")), mac("ㅏ", true, update("하")), mac("ㄴ", true, update("한")),
    mac("ㄱ", true, end("한"), start, update("ㄱ")), mac("ㅜ", true, update("구")), mac("ㄱ", true, update("국"), end("국")),
  ]), [6, 4], "macOS");
  assert.deepEqual(compose("하", [p(start, update("ㅎ")), p(update("하")), p(update("함")), [["Process", "Backspace", true], update("하")], p(end("하"), text(" "))]), [4, 1], "one key was wrong");
  assert.deepEqual(compose("나", [p(start, update("ㄴ")), p(update("나")), p(update("난")), p(update("나"), end("나"), start, update("나"))]), [4, 2], "a final that goes to the next syllable is no mistake");

  assert.deepEqual(compose("fête", ["f", "Dead", "ê", "t", "e"].map((key) => [key, ...(key === "Dead" ? [] : [text(key)])])), [5, 1], "Windows, a dead key");
  assert.deepEqual(compose("fête", [["f", text("f")], ["Dead", start, update("^")], [["e", "KeyE", true], update("ê"), end("ê")], ["t", text("t")], ["e", text("e")]]), [5, 1], "macOS, a dead key");
  assert.deepEqual(compose("été", [["é", text("é")], ["t", text("t")], ["é", text("é")]]), [3, 0], "keys of their own");
  assert.deepEqual(compose("´x", [["Dead"], ["x", text("´x")]]), [2, undefined], "a dead key that composes nothing");
  assert.deepEqual(compose("the", [["t", text("t")], ["h", text("h")], ["e", text("e")]]), [3, undefined]);

  const kana = ["k", "か", "かn", "かんj", "かんじ"].map((data, i) => p(...(i ? [] : [start]), update(data)));
  assert.deepEqual(compose("漢字", [...kana, p(update("漢字")), p(end("漢字"))]), [7, 5], "Japanese, with Space and Enter");

  const touch = ["h", "he", "hel", "helk", "hel", "hell", "hello"].map((data, i) => ["Unidentified", ...(i ? [] : [start]), update(data)]);
  touch.forEach((step, i) => i && (step[0] = ["Unidentified", "", true]));
  assert.deepEqual(compose("hello", [...touch, ["Unidentified", end("hello"), text(" ")]]), [8, 1], "a touch keyboard: Backspace is a key like others, one letter was wrong");
});

// The edit distance to the closest prefix, by the book.
function plainEdits(typed, text) {
  let row = [...Array(text.length + 1).keys()];
  for (const [i, letter] of [...typed].entries()) {
    const next = [i + 1];
    for (const [j, wanted] of [...text].entries()) next.push(Math.min(row[j] + (letter !== wanted), row[j + 1] + 1, next[j] + 1));
    row = next;
  }
  return Math.min(...row);
}

test("letters are marked by the fewest edits", () => {
  const marks = (typed, text) => {
    const { right, next } = align([...typed], [...text]);
    return right.slice(0, next).map((is) => (is ? "+" : "-")).join("");
  };
  assert.equal(marks("The quick", "The quick brown"), "+++++++++");
  assert.equal(marks("The qxick", "The quick brown"), "+++++-+++");
  assert.equal(marks("Th quick", "The quick brown"), "++-++++++", "one left out");
  assert.equal(marks("Thee quick", "The quick brown"), "++-++++++", "one too many, shown at the one before");
  assert.equal(marks("", "The"), "");
  assert.equal(marks("x", "The"), "-");
  assert.equal(marks("Thexyz", "The"), "++-");
  let seed = 16;
  const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
  for (let i = 0; i < 3000; i++) {
    const text = Array.from({ length: 1 + random(40) }, () => "abc "[random(4)]);
    const typed = text.slice(0, random(text.length + 1));
    for (let edits = random(8); edits; edits--) typed.splice(random(typed.length + 1), random(2), ...(random(2) ? ["abcd"[random(4)]] : []));
    const { edits, next, right } = align(typed, text);
    const told = JSON.stringify([typed.join(""), text.join("")]);
    assert.equal(edits, plainEdits(typed, text), told);
    assert.ok(next <= text.length && right.filter((is) => !is).length <= edits, told);
  }
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
