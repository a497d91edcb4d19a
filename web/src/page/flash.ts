// A score that changes on a live board flashes.
import type { Panel } from "../parts/panel.ts";

const lasts = 800; // ms

/** flash marks the scores that change while a board is shown; not those of a board that takes the place of another. */
export function flash({ board, table }: Panel): void {
  let before: unknown;
  new MutationObserver((changes) => {
    const isSame = board.query === before;
    before = board.query;
    if (!isSame) return;
    for (const { target, removedNodes: [was], addedNodes: [is] } of changes) {
      if (!was || was.textContent === is?.textContent) continue; // a row is rewritten when its rank changes, too
      const cell = (target as HTMLElement).closest("tbody td.score");
      cell?.parentElement!.animate({ backgroundColor: ["var(--_own)", "transparent"] }, lasts);
    }
  }).observe(table.element, { childList: true, subtree: true });
}
