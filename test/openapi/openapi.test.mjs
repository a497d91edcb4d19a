// The document as the tools of those see it who write clients by it.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const document = join(import.meta.dirname, "..", "..", "api", "openapi.yaml");
// No tool asks anybody anything.
const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", CI: "true" };

/** Runs a program of node_modules, and answers what it says and how it ends. */
function run(program, ...args) {
	return new Promise((resolve) => {
		execFile(process.execPath, [join(import.meta.dirname, "node_modules", program), ...args], { cwd: import.meta.dirname, env, maxBuffer: 1 << 25 },
			(error, stdout, stderr) => resolve({ failed: error !== null, stdout, stderr }));
	});
}

/** Compiles the consumer against the types that are generated of a document. */
async function compile(t, from) {
	const folder = await mkdtemp(join(tmpdir(), "openapi-"));
	t.after(() => rm(folder, { recursive: true }));
	const generated = await run("openapi-typescript/bin/cli.js", from, "--output", join(folder, "api.gen.ts"));
	assert.equal(generated.failed, false, generated.stdout + generated.stderr);
	await copyFile(join(import.meta.dirname, "consumer.ts"), join(folder, "consumer.ts"));
	await writeFile(join(folder, "tsconfig.json"), JSON.stringify({
		compilerOptions: { strict: true, noEmit: true, module: "esnext", moduleResolution: "bundler", target: "es2022", types: [] },
		files: ["consumer.ts"],
	}));
	return run("typescript/bin/tsc", "--project", folder);
}

test("the types that come out of it are exact", async (t) => {
	const compiled = await compile(t, document);
	assert.equal(compiled.failed, false, compiled.stdout);
});

test("redocly finds nothing in it", async () => {
	const linted = await run("@redocly/cli/bin/cli.js", "lint", "--config", "redocly.yaml", "--format", "json", document);
	const { problems } = JSON.parse(linted.stdout);
	assert.deepEqual(problems.map((p) => `${p.ruleId}: ${p.message} ${p.location[0]?.pointer}`), []);
	assert.equal(linted.failed, false, linted.stderr);
});

test("spectral finds nothing in it", async () => {
	const linted = await run("@stoplight/spectral-cli/dist/index.js", "lint", "--ruleset", "spectral.yaml", "--fail-severity", "hint", "--format", "json", "--quiet", document);
	assert.deepEqual(JSON.parse(linted.stdout || "[]").map((p) => `${p.code}: ${p.message} ${p.path.join(".")}`), []);
	assert.equal(linted.failed, false, linted.stderr);
});
