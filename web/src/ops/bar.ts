// A bar in SVG: a content security policy that forbids inline styles allows its attributes.
const ns = "http://www.w3.org/2000/svg";

/** svg makes an SVG element. */
export function svg(tag: string, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElement {
  const element = document.createElementNS(ns, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** spark makes a line of a figure's last values. It is hidden from screen readers: the figure stands beside it. */
export function spark(values: number[]): SVGElement | false {
  if (values.length < 2) return false;
  const most = Math.max(...values, 1), step = 100 / (values.length - 1);
  return svg("svg", { viewBox: "0 0 100 28", class: "spark", "aria-hidden": "true", preserveAspectRatio: "none" },
    svg("polyline", { points: values.map((value, i) => `${(i * step).toFixed(1)},${(26 - (24 * value) / most).toFixed(1)}`).join(" "), "vector-effect": "non-scaling-stroke" }));
}

export interface Bar {
  most: number; // the value that the whole width stands for
  parts: [value: number, kind: string][];
  mark?: number | undefined;
}

/** bar makes a bar. It is hidden from screen readers: its figures stand beside it as text. */
export function bar({ most, parts, mark }: Bar): SVGElement {
  const width = 300;
  const all = svg("svg", { viewBox: `0 0 ${width} 16`, class: "bar", "aria-hidden": "true", preserveAspectRatio: "none" }, svg("rect", { width, height: 16, class: "rest" }));
  let x = 0;
  for (const [value, kind] of parts) {
    const part = Math.min(width - x, (width * value) / most);
    all.append(svg("rect", { x, width: part, height: 16, class: kind }));
    x += part;
  }
  if (mark !== undefined) all.append(svg("rect", { x: Math.min(width - 2, (width * mark) / most), width: 2, height: 16, class: "mark" }));
  return all;
}
