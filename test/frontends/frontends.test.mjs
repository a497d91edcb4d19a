// The examples in a browser. A test fails where a page logs an error or asks a host
// that is none of these.
import assert from "node:assert/strict";
import { test } from "node:test";
import { url as api, watched } from "../web/support.mjs";

const { HTML_URL, VITE_URL, NEXT_URL, FIRST_API, FIRST_URL } = process.env;
const origins = [HTML_URL, VITE_URL, NEXT_URL, FIRST_API, FIRST_URL].map((address) => new URL(address).origin);
const hostile = "<img src=x onerror=document.title='owned'>";

const tokenOf = async (player, name) =>
  (await (await fetch(api + "/_local/token", { method: "POST", body: JSON.stringify({ player, name }) })).json()).token;

async function plays(player, name, score) {
  const headers = { Authorization: "Bearer " + (await tokenOf(player, name)), "Content-Type": "application/json" };
  const answer = await fetch(api + "/v1/scores", { method: "POST", headers, body: JSON.stringify({ mode: "daily_frame", score }) });
  assert.equal(answer.status, 201);
}

test("plain HTML shows the board, and names as text", watched(async ({ open }) => {
  await plays("user_ana", "Ana", 900);
  await plays("user_eve", hostile, 1);
  const page = await open(undefined, { origins });
  await page.goto(HTML_URL);
  await page.getByRole("row").filter({ hasText: "Ana" }).waitFor();
  await page.getByText(hostile, { exact: true }).waitFor();
  await page.getByText("2 players").waitFor();
  assert.equal(await page.title(), "Today's board");
  // It is live: nobody reloads.
  await plays("user_bo", "Bo", 700);
  await page.getByRole("row").filter({ hasText: "Bo" }).waitFor();
}));

test("the page of Vite plays, and shows the own score", watched(async ({ open }) => {
  const page = await open(undefined, { origins });
  await page.goto(VITE_URL);
  await page.getByRole("listitem").filter({ hasText: "Ana: 900" }).waitFor();
  await page.getByRole("button").click();
  await page.getByText(/^accepted: \d+, rank \d+$/).waitFor();
  await page.getByRole("listitem").filter({ hasText: "you: " }).waitFor();
  await page.reload();
  await page.getByRole("button").click();
  await page.getByText(/^kept: /).waitFor(); // the same device, and the first play counts
}));

test("the page of Next.js has the board in its HTML, and plays who is signed in", watched(async ({ open }) => {
  const html = await (await fetch(NEXT_URL)).text();
  assert.match(html, /<bdi>Ana<\/bdi>: (<!-- -->)?900/);
  assert.ok(!html.includes("<img src=x"));
  const page = await open(undefined, { origins });
  await page.goto(NEXT_URL);
  await page.getByRole("button").click();
  await page.getByText("Sign in to play.").waitFor();
  // As Clerk's script would have it.
  const token = await tokenOf("user_cy", "Cy");
  await page.evaluate((token) => (window.Clerk = { session: { getToken: async () => token } }), token);
  await page.getByRole("button").click();
  await page.getByText(/^You are number \d+ of \d+\.$/).waitFor();
}));

test("the page of the first game plays, and its board shows the score", watched(async ({ open }) => {
  const page = await open(undefined, { origins });
  await page.goto(FIRST_URL);
  await page.getByText("No scores yet.").waitFor();
  const button = page.getByRole("button", { name: /Click/ });
  for (let clicks = 0; clicks < 3; clicks++) await button.click();
  await page.getByText("Score submitted: 3").waitFor();
  await page.getByRole("row").filter({ hasText: "3" }).waitFor();
}));
