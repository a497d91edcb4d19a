// Starts and ends maintenance, during which writes are rejected.
import type { Ops } from "../../../sdk/js/src/ops.ts";
import type { Status } from "../../../sdk/js/src/types.ts";
import { h, type Child } from "../parts/dom.ts";
import type { Act } from "./bans.ts";
import { confirmed } from "./confirm.ts";
import { moment } from "./words.ts";

export function maintenance(ops: Ops, status: Status, act: Act): Child[] {
  const on = status.writes.maintenance;
  if (on) {
    const end = h("button", { type: "button", "data-testid": "maintenance-end", "data-needs": "administer" }, "End maintenance");
    end.addEventListener("click", () => void act(async () => {
      await ops.endMaintenance();
      return "Maintenance ended; effective everywhere within a minute.";
    }, "status"));
    return [h("p", { "data-testid": "maintenance-state" }, "In maintenance since ", moment(on.since), ", until ", on.until ? moment(on.until) : "it is redeployed without MAINTENANCE", on.reason ? `: ${on.reason}` : "."), on.until && h("p", {}, end)];
  }
  const hours = h("input", { id: "maintenance-hours", type: "number", min: 0.25, max: 168, step: 0.25, value: 1, required: true, "data-testid": "maintenance-hours" });
  const reason = h("input", { id: "maintenance-reason", required: true, maxlength: 500, "data-testid": "maintenance-reason" });
  const form = h("form", { class: "line", "data-needs": "administer" }, h("label", { for: "maintenance-hours" }, "Hours"), hours, h("label", { for: "maintenance-reason" }, "Reason (shown to players)"), reason, h("button", { type: "submit", class: "danger", "data-testid": "maintenance-begin" }, "Start maintenance"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!(await confirmed("Start maintenance", `No scores are accepted for ${hours.value} h, or until you end maintenance. Players see: ${reason.value}`, status.game))) return;
    await act(async () => {
      // Use the API's clock, since this machine's may be wrong.
      const until = new Date(Date.parse(status.now) + Number(hours.value) * 3_600_000).toISOString().replace(/\.\d+Z$/, "Z");
      await ops.setMaintenance({ until, reason: reason.value });
      return "Maintenance started; effective everywhere within 15 minutes.";
    }, "status");
  });
  return [h("p", { "data-testid": "maintenance-state" }, "Accepting writes."), form];
}
