// Tabs by the WAI-ARIA pattern with manual activation: arrow keys move the focus and Enter
// shows a panel, since each panel costs a request.
import { h } from "./dom.ts";

export interface Tab {
  name: string;
  title: string;
}

export class Tabs {
  readonly element: HTMLElement;
  #buttons: HTMLButtonElement[] = [];

  constructor(
    label: string,
    private readonly panel: HTMLElement,
    private readonly chosen: (name: string) => void,
  ) {
    this.element = h("div", { role: "tablist", "aria-label": label, onkeydown: (event: KeyboardEvent) => this.#move(event) });
  }

  /** list sets the tabs. */
  list(tabs: Tab[]): void {
    this.#buttons = tabs.map(({ name, title }) =>
      h("button", { type: "button", role: "tab", id: "tab-" + name, "data-testid": "tab-" + name, "data-name": name, "aria-controls": this.panel.id, onclick: () => this.chosen(name) }, title),
    );
    this.element.replaceChildren(...this.#buttons);
  }

  select(name: string): void {
    for (const button of this.#buttons) {
      const isSelected = button.dataset.name === name;
      button.setAttribute("aria-selected", String(isSelected));
      button.tabIndex = isSelected ? 0 : -1;
      if (isSelected) this.panel.setAttribute("aria-labelledby", button.id);
    }
  }

  #move(event: KeyboardEvent): void {
    const at = this.#buttons.indexOf(event.target as HTMLButtonElement);
    if (at < 0) return;
    const isRTL = getComputedStyle(this.element).direction === "rtl";
    const steps: Record<string, number> = { ArrowRight: isRTL ? -1 : 1, ArrowLeft: isRTL ? 1 : -1 };
    const count = this.#buttons.length;
    const to = event.key === "Home" ? 0 : event.key === "End" ? count - 1 : (at + (steps[event.key] ?? 0) + count) % count;
    if (to === at) return;
    event.preventDefault();
    for (const [i, button] of this.#buttons.entries()) button.tabIndex = i === to ? 0 : -1;
    this.#buttons[to]!.focus();
  }
}
