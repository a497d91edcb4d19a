// When schedules ran and will run. In the local product a button fires them; for a deployment
// the page shows a shell command.
import type { Status } from "../../../sdk/js/src/types.ts";
import { h, type Child } from "../parts/dom.ts";
import { acts, row, table } from "./section.ts";
import { api, isLocal, type Session } from "./session.ts";
import { moment } from "./words.ts";

const camel = (name: string) => name.replace(/(^|-)(.)/g, (_, __, c: string) => c.toUpperCase());

const lines = (name: string) => [
  `aws lambda invoke --function-name "$(aws cloudformation describe-stacks --stack-name STACK --query "Stacks[0].Outputs[?OutputKey=='${camel(name)}FunctionName'].OutputValue" --output text)" --payload file://events/${name}.json --cli-binary-format raw-in-base64-out --cli-read-timeout 900 /dev/stdout`,
  `gcloud scheduler jobs run leaderboards-${name} --location REGION`,
  `curl -sS --max-time 900 -X POST "${api}/v1/ops/schedules/${name}" -H "Authorization: Bearer $OPS_TOKEN"`,
];

export function schedules(session: Session, status: Status, fired: (said: string) => void): Child[] {
  const run = (name: string): HTMLElement => {
    if (!isLocal) return h("details", {}, h("summary", {}, `Run ${name}`), ...lines(name).map((l) => h("pre", { tabindex: 0 }, l)));
    const button = h("button", { type: "button", "data-testid": `fire-${name}`, "data-needs": "administer", "aria-label": `Run now: ${name}` }, "Run now");
    button.addEventListener("click", async () => {
      button.disabled = true;
      fired(await fire(session, name));
    });
    return button;
  };
  return [
    !isLocal && h("p", { class: "small" }, "To run one manually on AWS, Cloud Scheduler or a single server:"),
    table("Schedules", ["function", "last run", "result", "last success", "next", acts], status.schedules.map((s) =>
      row([s.function, moment(s.last?.ended), !s.last ? "" : s.last.error ? h("strong", { class: "leak" }, `failed: ${s.last.error}`) : `succeeded in ${s.last.milliseconds} ms`,
        moment(s.last_good?.ended), h("span", {}, moment(s.next), s.late && h("strong", { class: "leak" }, " late")), run(s.function)], { "data-schedule": s.function }))),
  ];
}

async function fire(session: Session, name: string): Promise<string> {
  try {
    const answer = await session.fire(name);
    if (answer.ok) return `${name} finished.`;
    return `${name} failed: ${((await answer.json()) as { detail?: string }).detail ?? answer.status}`;
  } catch (error) {
    return `${name} could not be started: ${String(error)}`;
  }
}
