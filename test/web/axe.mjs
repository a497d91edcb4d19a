// What axe-core finds wrong with a page, each in a line.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const source = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules that depend on nothing but colours: all that differs between themes. */
export const ofColours = ["color-contrast", "link-in-text-block"];

export async function violations(page, rules) {
  // As a debugger, which no policy holds back; once for each document, since it is half a megabyte.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const found = await page.evaluate((rules) => {
    // What fades in is judged by how it looks then.
    for (const animation of document.getAnimations()) if (animation.effect.getComputedTiming().endTime !== Infinity) animation.finish();
    return axe.run(document, { resultTypes: ["violations"], ...(rules && { runOnly: rules }) });
  }, rules);
  return found.violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.target} ${n.failureSummary}`));
}
