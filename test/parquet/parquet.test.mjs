// Two readers by others read what lbctl has kept, and have what Redis had: the same
// players in the same order, with the same ranks, scores and bits.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { DuckDBInstance } from "@duckdb/node-api";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";

// [{file, mode, period, key, rows: [{rank, player, score, values, bits}]}], numbers as texts.
const boards = JSON.parse(await readFile(process.env.EXPECTED, "utf8"));
const folder = process.env.FOLDER;

/** The text of a number that one of the readers gives, with no more places than it needs. */
const text = (n) => String(n).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");

/** What a row of a reader says, as the expected ones say it. */
const said = (row, values) => ({
	rank: String(row.rank),
	player: row.player,
	score: text(row.score),
	values: values.map((name) => text(row[`value_${name}`])),
	bits: String(row.bits),
});

test("there are boards of every kind", () => {
	assert.deepEqual([...new Set(boards.map((b) => b.period))].sort(), ["day", "month", "week"]);
	assert.ok(boards.length >= 12);
	assert.ok(boards.every((b) => b.rows.length > 5));
});

test("hyparquet reads every board as Redis had it", async () => {
	for (const b of boards) {
		const file = await asyncBufferFromFile(`${folder}/${b.file}`);
		const rows = await parquetReadObjects({ file });
		assert.deepEqual(rows.map((row) => said(row, b.values)), b.rows, b.file);
		const { key_value_metadata: words } = await parquetMetadataAsync(file);
		const said_ = Object.fromEntries(words.map(({ key, value }) => [key, value]));
		assert.equal(said_["leaderboards.rows"], String(b.rows.length));
		assert.equal(said_["leaderboards.mode"], b.mode);
		assert.equal(said_["leaderboards.key"], b.key);
		assert.match(said_["leaderboards.sha256"], /^[0-9a-f]{64}$/);
	}
});

test("DuckDB reads every board as Redis had it", async () => {
	const connection = await (await DuckDBInstance.create(":memory:")).connect();
	for (const b of boards) {
		const result = await connection.runAndReadAll(`SELECT * FROM read_parquet('${folder}/${b.file}')`);
		assert.deepEqual(result.getRowObjects().map((row) => said(row, b.values)), b.rows, b.file);
	}
});

test("DuckDB takes mode, period and key from the folders, over all boards at once", async () => {
	const connection = await (await DuckDBInstance.create(":memory:")).connect();
	const result = await connection.runAndReadAll(`
		SELECT mode, period, CAST(key AS VARCHAR) AS key, count(*) AS players
		FROM read_parquet('${folder}/*/*/*/board.parquet', hive_partitioning = true, hive_types_autocast = false, union_by_name = true)
		GROUP BY ALL`);
	const counts = Object.fromEntries(result.getRowObjects().map((r) => [`${r.mode} ${r.period} ${r.key}`, Number(r.players)]));
	for (const b of boards) assert.equal(counts[`${b.mode} ${b.period} ${b.key}`], b.rows.length, b.file);
});
