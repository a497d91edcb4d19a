// All elements are made here. Texts of strangers become text nodes and attribute values,
// never markup.

export type Child = Node | string | null | undefined | false;
type Value = string | number | boolean | null | undefined | ((event: never) => void);

/** h makes an element. It leaves out attributes that are null or false; `on…` adds a listener. */
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

/** fill replaces the children of an element. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.filter((c): c is Node | string => !!c || c === ""));
}

/** say sets an element's text, unless the element has that text already. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** show shows an element, or hides it, also from screen readers. */
export function show(element: HTMLElement, shown: boolean): void {
  if (element.hidden === shown) element.hidden = !shown;
}

/** isPicture reports whether a player's picture may be loaded from an address. */
export function isPicture(address: string | undefined): address is string {
  try {
    return !!address && new URL(address).protocol === "https:";
  } catch {
    return false;
  }
}
