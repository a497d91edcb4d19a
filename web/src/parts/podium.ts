// Dresses an element for a podium. It is loaded when an element has one.
import { podium, podiumRows } from "./podium.style.ts";
import { sheet } from "./sheet.ts";

const made = sheet(podiumRows + podium);

/** dress gives a shadow root the style of a podium. */
export function dress({ adoptedStyleSheets }: ShadowRoot): void {
  if (!adoptedStyleSheets.includes(made)) adoptedStyleSheets.push(made);
}
