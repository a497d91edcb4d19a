// Sends scores from a game server. It reads one JSON object per line from standard input,
// and sends up to a thousand in one request:
//
//   LEADERBOARDS_URL=https://api.example.com SIGNING_KEY=… node send.mjs < scores.jsonl
import { createHmac, randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const url = process.env.LEADERBOARDS_URL;
const key = process.env.SIGNING_KEY;
const maxScores = 1000; // in one batch
const maxBytes = 1_000_000; // in one batch; the limit is 1 MiB
const tries = 8;
if (!url || !key) {
  console.error("set LEADERBOARDS_URL, such as https://api.example.com, and SIGNING_KEY");
  process.exit(2);
}

// sign makes a signature that is valid for this one request, for 300 seconds.
function sign(method, path, body) {
  const t = Math.floor(Date.now() / 1000);
  const v2 = createHmac("sha256", key).update(`${t}.${method}.${path}.${body}`).digest("hex");
  return `t=${t},v2=${v2}`;
}

// post sends a request until it gets a final answer. Each attempt has a new signature,
// and all attempts have the same idempotency key: however often the request arrives, it
// counts once.
async function post(path, body, whole) {
  const id = randomUUID();
  for (let attempt = 1; ; attempt++) {
    let wait = 250 * 2 ** attempt * (0.5 + Math.random() / 2); // ms
    let problem;
    try {
      const response = await fetch(url + path, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          "Framedle-Signature": sign("POST", path, body),
          "Idempotency-Key": `"${id}"`,
        },
        body,
        signal: AbortSignal.timeout(30_000),
      });
      const text = await response.text();
      if (response.ok) {
        const answer = JSON.parse(text);
        if (whole(answer)) return answer;
        problem = new Error(`some of ${path} could not be stored`);
      } else {
        problem = new Error(`${response.status}: ${text}`);
        problem.final = ![409, 429].includes(response.status) && response.status < 500;
      }
      const after = Number(response.headers.get("Retry-After")); // seconds; 0 if it is missing
      if (after > 0) wait = after * 1000;
    } catch (error) {
      problem = error; // not reachable, or cut off: send again
    }
    if (problem.final || attempt === tries) throw problem;
    await sleep(wait);
  }
}

// sendBatch returns a result for each score, in order: its rank on the board, or a
// problem. A refused score does not affect the others. If some scores could not be
// stored, sendBatch sends the whole batch again; scores that are stored do not change.
async function sendBatch(scores) {
  const stored = ({ results }) => results.every((result) => !(result.problem?.status >= 500));
  // Send the lines as they were read: JSON.stringify would round a long number.
  const body = `{"scores":[${scores.map(({ text }) => text).join(",")}]}`;
  const { results } = await post("/v1/scores/batch", body, stored);
  return results;
}

let sent = 0;
let refused = 0;
let batch = []; // of { line, text }
let size = 0;

async function flush() {
  if (batch.length === 0) return;
  for (const [i, { problem }] of (await sendBatch(batch)).entries()) {
    if (!problem) continue;
    refused++;
    console.log(`line ${batch[i].line}: ${problem.status} ${problem.detail}`);
  }
  sent += batch.length;
  batch = [];
  size = 0;
}

function valid(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

let line = 0;
try {
  for await (const text of createInterface({ input: process.stdin })) {
    line++;
    if (!valid(text)) {
      refused++;
      console.log(`line ${line}: not JSON`);
      continue;
    }
    const bytes = Buffer.byteLength(text) + 1;
    if (batch.length === maxScores || size + bytes > maxBytes) await flush();
    batch.push({ line, text });
    size += bytes;
  }
  await flush();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
console.log(`${sent} sent, ${refused} refused`);
if (refused > 0) process.exitCode = 1;
