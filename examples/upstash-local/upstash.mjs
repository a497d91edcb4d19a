import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

// startUpstash starts a local Upstash server for one test file. It returns the url and token
// for new Redis(), and stop, which ends the server.
export async function startUpstash(...flags) {
  const command = process.env.UPSTASH_LOCAL ?? "upstash-local";
  const server = spawn(command, ["-addr", "127.0.0.1:0", "-ready", "json", "-until-eof", ...flags], {
    stdio: ["pipe", "pipe", "inherit"], // standard input closes when this process ends, and then the server ends
  });
  const ended = once(server, "exit"); // rejects if the command cannot be started
  const line = once(createInterface({ input: server.stdout }), "line");
  const [ready] = await Promise.race([
    line,
    ended.then(([code]) => Promise.reject(new Error(`${command} ended with ${code} before it listened`))),
  ]);
  const { url, token } = JSON.parse(ready);
  return {
    url,
    token,
    async stop() {
      server.stdin.end();
      await ended;
    },
  };
}
