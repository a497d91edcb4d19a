// The grabber of a sheet, on a phone: the sheet follows the finger, and closes when it is pulled
// down far enough.
import { h } from "../parts/dom.ts";

const enough = 80; // pixels

export function grab(): HTMLElement {
  let from: number | null = null;
  const move = (by: number) => {
    const sheet = element.closest("dialog")!;
    sheet.style.translate = by > 0 ? `0 ${by}px` : "";
    return sheet;
  };
  const end = (event: PointerEvent) => {
    if (from === null) return;
    const sheet = move(0);
    if (event.type === "pointerup" && event.clientY - from > enough) sheet.close();
    from = null;
  };
  const element = h("div", {
    class: "grab", "data-testid": "grab", onpointerup: end, onpointercancel: end,
    onpointerdown: (event: PointerEvent) => ((from = event.clientY), element.setPointerCapture(event.pointerId)),
    onpointermove: (event: PointerEvent) => from !== null && move(event.clientY - from),
  });
  return element;
}
