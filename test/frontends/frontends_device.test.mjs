// The examples that devices play, in a browser.
import { test } from "node:test";
import { watched } from "../web/support.mjs";
import { originsOf, plays } from "./kit.mjs";

const { VITE_URL, FIRST_API, FIRST_URL } = process.env;
const origins = originsOf(VITE_URL, FIRST_API, FIRST_URL);

test("the page of Vite plays, and shows the own score", watched(async ({ open }) => {
  await plays("user_ana", "Ana", 900);
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

test("the page of the first game plays, and its board shows the score", watched(async ({ open }) => {
  const page = await open(undefined, { origins });
  await page.goto(FIRST_URL);
  await page.getByText("No scores yet.").waitFor();
  const button = page.getByRole("button", { name: /Click/ });
  for (let clicks = 0; clicks < 3; clicks++) await button.click();
  await page.getByText("Score submitted: 3").waitFor();
  await page.getByRole("row").filter({ hasText: "3" }).waitFor();
}));
