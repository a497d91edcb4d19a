// What few clients use, of several kinds of values.
import assert from "node:assert/strict";
import { test } from "node:test";
import { client, key } from "./support.mjs";

const redis = client();
const at = (score, member) => ({ score, member });

test("bitfield", async () => {
  const redis = client({ enableAutoPipelining: false }); // the SDK has no bitfield with it
  const k = key();
  assert.deepEqual(await redis.bitfield(k).set("u8", 0, 255).incrby("u8", 0, 10).get("u8", 0).exec(), [0, 9, 9]);
  assert.deepEqual(await redis.bitfield(k).overflow("SAT").incrby("u8", 0, 300).exec(), [255]);
  assert.deepEqual(await redis.bitfield(k).overflow("FAIL").incrby("u8", 0, 300).exec(), [null]);
});

test("zdiffstore", async () => {
  const [a, b, dest] = [key(), key(), key()];
  await redis.zadd(a, at(1, "x"), at(2, "y"));
  await redis.zadd(b, at(1, "y"));
  assert.equal(await redis.zdiffstore(dest, 2, a, b), 1);
  assert.deepEqual(await redis.zrange(dest, 0, -1, { withScores: true }), ["x", 1]);
});

test("functions", async () => {
  const library = `lib_${key().replace(/\W/g, "_")}`;
  const code = `#!lua name=${library}
    redis.register_function('${library}_echo', function(keys, args) return args[1] end)
    redis.register_function{function_name='${library}_read', callback=function(keys) return redis.call('GET', keys[1]) end, flags={'no-writes'}}`;
  assert.equal(await redis.functions.load({ code }), library);
  assert.equal(await redis.functions.call(`${library}_echo`, [], ["x"]), "x");
  const k = key();
  await redis.set(k, "v");
  assert.equal(await redis.functions.callRo(`${library}_read`, [k]), "v");
  const [listed] = await redis.functions.list({ libraryName: library });
  assert.equal(listed.functions.length, 2);
  assert.equal(await redis.functions.delete(library), "OK");
});

test("places", async () => {
  const [k, dest] = [key(), key()];
  assert.equal(await redis.geoadd(k, { longitude: 13.361389, latitude: 38.115556, member: "Palermo" }, { longitude: 15.087269, latitude: 37.502669, member: "Catania" }), 2);
  assert.equal(await redis.geodist(k, "Palermo", "Catania", "KM"), 166.2742);
  assert.deepEqual(await redis.geohash(k, "Palermo", "Catania"), ["sqc8b49rny0", "sqdtr74hyu0"]);
  const near = [{ type: "FROMLONLAT", coordinate: { lon: 15, lat: 37 } }, { type: "BYRADIUS", radius: 100, radiusType: "KM" }, "ASC"];
  assert.deepEqual(await redis.geosearch(k, ...near, { withDist: true }), [{ member: "Catania", dist: 56.4413 }]);
  assert.equal(await redis.geosearchstore(dest, k, ...near), 1);
});

test("streams: approximate trimming with a limit, moving a group, claims without acknowledgement", async () => {
  const k = key();
  await redis.xadd(k, "1-0", { n: 1 });
  assert.equal(await redis.xadd(k, "2-0", { n: 2 }, { trim: { type: "MAXLEN", comparison: "~", threshold: 100, limit: 10 } }), "2-0");
  await redis.xgroup(k, { type: "CREATE", group: "g", id: "$", options: { ENTRIESREAD: 1 } });
  assert.equal(await redis.xreadgroup("g", "c", k, ">"), null);
  assert.equal(await redis.xgroup(k, { type: "SETID", group: "g", id: "0" }), "OK");
  assert.equal((await redis.xreadgroup("g", "c", k, ">", { NOACK: true }))[0][1].length, 2);
  assert.deepEqual(await redis.xpending(k, "g", "-", "+", 10), []);
});

test("a script sees numbers as Redis' Lua does", async () => {
  assert.equal(await redis.eval("return tostring(1 / 3)", [], []), 0.33333333333333);
  assert.equal(await redis.eval("return tostring(tonumber('1e15'))", [], []), "1e+15");
  assert.equal(await redis.eval("return bit.band(6, 3)", [], []), 2);
  assert.deepEqual(await redis.eval("return cmsgpack.unpack(cmsgpack.pack({1, 2, 3}))", [], []), [1, 2, 3]);
});
