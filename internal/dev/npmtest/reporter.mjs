// One JSON line for each finished test, for the Go test that started the run.
export default async function* lines(events) {
  for await (const { type, data } of events) {
    if (type === "test:stdout" || type === "test:stderr") {
      yield line({ output: data.message });
      continue;
    }
    if ((type !== "test:pass" && type !== "test:fail") || data.details?.type === "suite") {
      continue;
    }
    const failed = type === "test:fail";
    yield line({
      file: data.file,
      name: data.name,
      failed,
      took: Math.round(data.details.duration_ms),
      skipped: data.skip !== undefined || data.todo !== undefined,
      error: failed ? describe(data.details.error) : undefined,
    });
  }
}

function line(fields) {
  return JSON.stringify(fields) + "\n";
}

function describe(error) {
  const cause = error?.cause;
  return cause?.stack ?? String(cause ?? error);
}
