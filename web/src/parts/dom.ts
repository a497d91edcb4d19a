// Elements are made here and nowhere else: what strangers wrote comes in as text
// nodes and attribute values, never as markup.

export type Child = Node | string | null | undefined | false;
type Value = string | number | boolean | null | undefined | ((event: never) => void);

/** h makes an element. Attributes that are null or false are left out; `on…` listens. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, Value> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  fill(element, ...children);
  return element;
}

/** fill replaces what is in an element. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.filter((c): c is Node | string => !!c || c === ""));
}

/** say sets an element's text, and leaves it alone where that is what it says already. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** show shows an element, or takes it out of sight and out of every tree. */
export function show(element: HTMLElement, shown: boolean): void {
  if (element.hidden === shown) element.hidden = !shown;
}

/** isPicture reports whether an address may be asked for a player's picture. */
export function isPicture(address: string | undefined): address is string {
  try {
    return !!address && new URL(address).protocol === "https:";
  } catch {
    return false;
  }
}
