// The page at the root. index.html has the element with the id main, and config.js may have
// set how players sign in. Pages that embed this one call start themselves.
import { parts, sheet } from "../parts/styles.ts";
import { App } from "./app.ts";
import type { Settings } from "./settings.ts";
import { style } from "./style.ts";

export type { Settings };

/** start shows the boards in `settings.into`. */
export function start(settings: Settings): Promise<void> {
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet(style + parts)];
  return new App(settings).start();
}

if (document.getElementById("main")) void start(window.framedle ?? {});
