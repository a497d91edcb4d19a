// Short messages at the bottom of the window, each for some seconds.
import { h } from "../parts/dom.ts";

const shownFor = 5000; // ms

export const toasts = h("div", { class: "toasts", role: "status", "aria-live": "polite", "data-testid": "toasts" });

/** toast shows a message. With an act its button undoes what the message says; `over` is called when the time for that is over. */
export function toast(text: string, act?: { text: string; undo: () => void; over: () => void }): void {
  const end = (): void => {
    clearTimeout(timer);
    removeEventListener("pagehide", end);
    if (!element.isConnected) return;
    element.remove();
    act?.over();
  };
  const undo = () => {
    clearTimeout(timer);
    removeEventListener("pagehide", end);
    element.remove();
    act?.undo();
  };
  const element = h("div", { "data-testid": "toast" }, h("span", {}, text), !!act && h("button", { type: "button", "data-testid": "undo", onclick: undo }, act.text));
  toasts.append(element);
  const timer = setTimeout(end, shownFor);
  if (act) addEventListener("pagehide", end); // what is not undone is done, also if the page is left
}
