// The page at the root. index.html has the element with the id main, and config.js may have
// set how players sign in. Pages that embed this one call start themselves.
import { dialogs } from "../parts/card.style.ts";
import { parts, sheet } from "../parts/styles.ts";
import tokens from "../parts/tokens.css";
import { App } from "./app.ts";
import { greet } from "./greet.ts";
import type { Settings } from "./settings.ts";
import { style } from "./style.ts";

// What the scripts that are loaded later have in common with this one.
export * from "../parts/dom.ts";
export { sheet } from "../parts/styles.ts";
export { words } from "./words.ts";

export type { Settings };

/** start shows the boards in `settings.into`. */
export async function start(settings: Settings): Promise<void> {
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet(tokens + parts + dialogs + style)];
  await greet(settings, "./locales/page/");
  return new App(settings).start();
}

if (document.getElementById("main")) void start(window.framedle ?? {});
