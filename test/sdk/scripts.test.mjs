import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { client, key } from "./support.mjs";

const redis = client();
const sha = (script) => createHash("sha1").update(script).digest("hex");
// unique makes a script that no server has seen.
const unique = (script) => `${script} -- ${key()}`;

test("eval sees keys and arguments and answers Redis types", async () => {
  const k = key();
  assert.deepEqual(await redis.eval("return {KEYS[1], ARGV[1], 1, 3.99, false, {1, {'x'}}}", [k], ["v"]), [k, "v", 1, 3, null, [1, ["x"]]]);
  assert.equal(await redis.eval("return redis.call('SET', KEYS[1], ARGV[1])", [k], [{ a: 1 }]), "OK");
  assert.deepEqual(await redis.get(k), { a: 1 });
  assert.equal(await redis.eval("return nil", [], []), null);
  assert.equal(await redis.eval("return true", [], []), 1);
  assert.equal(await redis.eval("return false", [], []), null);
});

test("eval calls many commands as one", async () => {
  const k = key();
  const top = await redis.eval(
    `for i, score in ipairs(ARGV) do redis.call('ZADD', KEYS[1], 'GT', score, 'player' .. i) end
     return redis.call('ZRANGE', KEYS[1], 0, 1, 'REV', 'WITHSCORES')`,
    [k],
    [10, 30, 20],
  );
  assert.deepEqual(top, ["player2", 30, "player3", 20]);
});

test("evalsha needs the script, script load keeps it", async () => {
  const script = unique("return ARGV[1]");
  await assert.rejects(redis.evalsha(sha(script), [], ["x"]), /NOSCRIPT/);
  assert.deepEqual(await redis.scriptExists(sha(script)), [0]);
  assert.equal(await redis.scriptLoad(script), sha(script));
  assert.deepEqual(await redis.scriptExists(sha(script), "0".repeat(40)), [1, 0]);
  assert.equal(await redis.evalsha(sha(script), [], ["x"]), "x");
});

test("createScript falls back from evalsha to eval", async () => {
  const text = unique("return redis.call('INCRBY', KEYS[1], ARGV[1])");
  const script = redis.createScript(text);
  const k = key();
  assert.equal(await script.exec([k], [5]), 5);
  assert.deepEqual(await redis.scriptExists(sha(text)), [1]);
  assert.equal(await script.exec([k], [5]), 10);
  assert.equal(await script.evalsha([k], [1]), 11);
});

test("read-only scripts", async () => {
  const k = key();
  await redis.set(k, "v");
  assert.equal(await redis.evalRo("return redis.call('GET', KEYS[1])", [k], []), "v");
  await assert.rejects(redis.evalRo("return redis.call('SET', KEYS[1], 'w')", [k], []), /Write commands are not allowed/);
  assert.equal(await redis.createScript(unique("return redis.call('GET', KEYS[1])"), { readonly: true }).exec([k], []), "v");
  assert.equal(await redis.get(k), "v");
});

test("errors in scripts", async () => {
  const k = key();
  await redis.zadd(k, { score: 1, member: "a" });
  await assert.rejects(redis.eval("return redis.error_reply('MY custom error')", [], []), /MY custom error/);
  await assert.rejects(redis.eval("return redis.call('GET', KEYS[1])", [k], []), /WRONGTYPE/);
  await assert.rejects(redis.eval("retrn 1", [], []), /Error compiling script/);
  assert.match(await redis.eval("return redis.pcall('GET', KEYS[1]).err", [k], []), /^WRONGTYPE/);
});

test("cjson", async () => {
  assert.equal(await redis.eval("return cjson.decode(ARGV[1]).n", [], ['{"n":5}']), 5);
  assert.deepEqual(await redis.eval("return cjson.encode({1, 2, 'x'})", [], []), [1, 2, "x"]);
});

test("the first line that locks only the script's keys", async () => {
  const script = unique("#!lua flags=allow-key-locking\nreturn redis.call('INCR', KEYS[1])");
  const k = key();
  assert.equal(await redis.eval(script, [k], []), 1);
  assert.equal(await redis.evalsha(sha(script), [k], []), 2);
  const other = unique("#!lua flags=allow-key-locking\nreturn redis.call('INCR', KEYS[1])");
  assert.equal(await redis.scriptLoad(other), sha(other));
  assert.deepEqual(await redis.scriptExists(sha(other)), [1]);
  assert.equal(await redis.createScript(other).exec([k], []), 3);
});

test("scripts in a pipeline", async () => {
  const script = unique("return ARGV[1] + 1");
  const p = redis.pipeline();
  p.eval("return {1, 'a'}", [], []);
  p.scriptLoad(script);
  p.evalsha(sha(script), [], [41]);
  assert.deepEqual(await p.exec(), [[1, "a"], sha(script), 42]);
});
