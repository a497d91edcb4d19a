// Scores under review: they are on no board until an operator approves them.
import type { Ops } from "../../../sdk/js/src/ops.ts";
import type { HeldList } from "../../../sdk/js/src/types.ts";
import { h, type Child } from "../parts/dom.ts";
import type { Act } from "./bans.ts";
import { confirmed } from "./confirm.ts";
import { acts, row, table } from "./section.ts";
import { moment } from "./words.ts";

export function held(ops: Ops, list: HeldList, act: Act, shown: () => Promise<void>, more: (cursor: string) => void): Child[] {
  if (list.held.length === 0) return [h("p", {}, "No scores to review.")];
  const does = (word: string, testid: string, label: string, what: () => Promise<string>, { possible = true, sure = async () => true } = {}) => {
    const button = h("button", { type: "button", "aria-label": label, "data-testid": testid, "data-needs": "moderate", disabled: !possible }, word);
    button.addEventListener("click", async () => {
      if (!(await sure())) return;
      button.disabled = true;
      await act(what);
      await shown();
    });
    return button;
  };
  const next = list.next && h("button", { type: "button" }, "Next page");
  if (next) next.addEventListener("click", () => more(list.next!));
  return [
    table("Scores to review", ["player", "mode", "date", "score", "sent", "reason", acts], list.held.map((one) => {
      const of = `the score of ${one.name ?? one.player} in ${one.mode}`;
      const score = one.submitted_values ? Object.entries(one.submitted_values).map(([name, value]) => `${value} ${name}`).join(", ") : String(one.submitted);
      return row([one.player, one.mode, h("time", {}, one.date), score, moment(one.at), one.open ? one.why : one.why + "; its day is closed", h("span", { class: "line" },
        does("Approve", "pass-held", `Approve ${of}`, async () => `Approved: ${(await ops.passHeld(one.id)).player}'s score is on the board.`, { possible: one.open }),
        does("Reject", "drop-held", `Reject ${of}`, async () => {
          await ops.dropHeld(one.id);
          return `Rejected: ${one.player}'s score.`;
        }, { sure: () => confirmed("Reject this score", `${score} in ${one.mode} on ${one.date}. This can’t be undone.`, one.player) }))], { "data-held": one.id });
    })),
    next,
  ];
}
