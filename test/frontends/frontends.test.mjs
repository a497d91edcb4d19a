// The examples in a browser. A test fails where a page logs an error or asks a host
// that is none of these.
import assert from "node:assert/strict";
import { test } from "node:test";
import { watched } from "../web/support.mjs";
import { originsOf, plays, tokenOf } from "./kit.mjs";

const { HTML_URL, NEXT_URL } = process.env;
const origins = originsOf(HTML_URL, NEXT_URL);
const hostile = "<img src=x onerror=document.title='owned'>";

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
