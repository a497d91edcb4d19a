import assert from "node:assert/strict";
import { test } from "node:test";
import { watched } from "./support.mjs";

test("the page opens", watched(async ({ open }) => {
  const page = await open("/");
  await page.getByText("Leaderboards").first().waitFor();
  assert.match(await page.title(), /Leaderboards/);
}));
