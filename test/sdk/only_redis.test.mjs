// What a real Redis has and the embedded engine has not.
import assert from "node:assert/strict";
import { test } from "node:test";
import { client, key } from "./support.mjs";

const redis = client();

async function stream(...ids) {
  const k = key("stream");
  for (const id of ids) {
    await redis.xadd(k, id, { n: Number(id.split("-")[0]) });
  }
  return k;
}

async function grouped(...ids) {
  const k = await stream(...ids);
  assert.equal(await redis.xgroup(k, { type: "CREATE", group: "g", id: "0" }), "OK");
  return k;
}

test("bitfield", async () => {
  const redis = client({ enableAutoPipelining: false }); // the SDK has no bitfield with it
  const k = key();
  assert.deepEqual(await redis.bitfield(k).set("u8", 0, 255).incrby("u8", 0, 10).get("u8", 0).exec(), [0, 9, 9]);
  assert.deepEqual(await redis.bitfield(k).overflow("SAT").incrby("u8", 0, 300).exec(), [255]);
  assert.deepEqual(await redis.bitfield(k).overflow("FAIL").incrby("u8", 0, 300).exec(), [null]);
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

test("groups are made once", async () => {
  const k = await grouped("1-0");
  await assert.rejects(redis.xgroup(k, { type: "CREATE", group: "g", id: "0" }), /BUSYGROUP/);
  assert.equal(await redis.xgroup(key(), { type: "CREATE", group: "g", id: "$", options: { MKSTREAM: true } }), "OK");
  assert.equal(await redis.xgroup(k, { type: "CREATECONSUMER", group: "g", consumer: "c" }), 1);
  assert.equal(await redis.xgroup(k, { type: "CREATECONSUMER", group: "g", consumer: "c" }), 0);
  assert.equal(await redis.xgroup(k, { type: "DELCONSUMER", group: "g", consumer: "c" }), 0);
  assert.equal(await redis.xgroup(k, { type: "DESTROY", group: "g" }), 1);
  await assert.rejects(redis.xreadgroup("g", "c", k, ">"), /NOGROUP/);
});

test("a group hands every entry to one consumer", async () => {
  const k = await grouped("1-0", "2-0", "3-0");
  assert.deepEqual(await redis.xreadgroup("g", "c1", k, ">", { count: 2 }), [[k, [["1-0", ["n", 1]], ["2-0", ["n", 2]]]]]);
  assert.deepEqual(await redis.xreadgroup("g", "c2", k, ">"), [[k, [["3-0", ["n", 3]]]]]);
  assert.equal(await redis.xreadgroup("g", "c1", k, ">"), null);
  assert.deepEqual(await redis.xreadgroup("g", "c1", k, "0"), [[k, [["1-0", ["n", 1]], ["2-0", ["n", 2]]]]]);
  assert.equal(await redis.xack(k, "g", ["1-0", "99-0"]), 1);
  const pending = await redis.xpending(k, "g", "-", "+", 10);
  assert.deepEqual(pending.map(([id, consumer]) => [id, consumer]), [["2-0", "c1"], ["3-0", "c2"]]);
  assert.equal((await redis.xpending(k, "g", "-", "+", 10, { consumer: "c2" })).length, 1);
  const [[, name, , consumers, , count]] = await redis.xinfo(k, { type: "GROUPS" });
  assert.deepEqual([name, consumers, count], ["g", 2, 2]);
  assert.equal((await redis.xinfo(k, { type: "CONSUMERS", group: "g" })).length, 2);
});

test("claiming what another consumer left", async () => {
  const k = await grouped("1-0", "2-0", "3-0");
  await redis.xreadgroup("g", "dead", k, ">");
  assert.deepEqual(await redis.xclaim(k, "g", "c", 0, "1-0"), [["1-0", ["n", 1]]]);
  assert.deepEqual(await redis.xclaim(k, "g", "c", 0, ["2-0"], { justId: true }), ["2-0"]);
  const [next, entries] = await redis.xautoclaim(k, "g", "c", 0, "0-0", { count: 2 });
  assert.deepEqual([next, entries.map(([id]) => id)], ["3-0", ["1-0", "2-0"]]);
  assert.deepEqual(await redis.xautoclaim(k, "g", "c", 0, "3-0", { justId: true }), ["0-0", ["3-0"], []]);
});

test("a group that is not there has no consumers", async () => {
  assert.deepEqual(await redis.xinfo(await stream("1-0"), { type: "CONSUMERS", group: "none" }), []);
});

test("bits", async () => {
  const [a, b, dest] = [key(), key(), key()];
  assert.equal(await redis.setbit(a, 7, 1), 0);
  assert.equal(await redis.setbit(a, 7, 1), 1);
  assert.equal(await redis.getbit(a, 7), 1);
  assert.equal(await redis.getbit(a, 1000), 0);
  await redis.setbit(b, 6, 1);
  await redis.setbit(b, 7, 1);
  assert.equal(await redis.bitcount(b), 2);
  assert.equal(await redis.bitop("and", dest, a, b), 1);
  assert.equal(await redis.bitcount(dest, 0, 0), 1);
  assert.equal(await redis.bitpos(b, 1), 6);
});

test("hyperloglog", async () => {
  const [a, b, both] = [key(), key(), key()];
  assert.equal(await redis.pfadd(a, "x", "y"), 1);
  assert.equal(await redis.pfadd(a, "x"), 0);
  await redis.pfadd(b, "z");
  assert.equal(await redis.pfcount(a, b), 3);
  assert.equal(await redis.pfmerge(both, a, b), "OK");
  assert.equal(await redis.pfcount(both), 3);
});

test("libraries of scripts", async () => {
  assert.equal(await redis.eval("return bit.band(6, 3)", [], []), 2);
  assert.deepEqual(await redis.eval("return cmsgpack.unpack(cmsgpack.pack({1, 2, 3}))", [], []), [1, 2, 3]);
});

test("a function that only reads may be called as read-only, declared or not", async () => {
  const library = `ro_${key().replace(/\W/g, "_")}`;
  const code = `#!lua name=${library}
    redis.register_function('${library}_get', function(keys) return redis.call('GET', keys[1]) end)
    redis.register_function('${library}_set', function(keys, args) return redis.call('SET', keys[1], args[1]) end)`;
  await redis.functions.load({ code });
  const k = key();
  await redis.functions.call(`${library}_set`, [k], ["v"]);
  assert.equal(await redis.functions.callRo(`${library}_get`, [k]), "v");
  await assert.rejects(redis.functions.callRo(`${library}_set`, [k], ["w"]), /commands are not allowed from read-only/);
  await redis.functions.delete(library);
});

test("reads without acknowledgement make no consumer", async () => {
  const k = key();
  await redis.xadd(k, "1-0", { n: 1 });
  await redis.xgroup(k, { type: "CREATE", group: "g", id: "0" });
  await redis.xreadgroup("g", "c", k, ">", { NOACK: true });
  assert.deepEqual(await redis.xinfo(k, { type: "CONSUMERS", group: "g" }), []);
});
