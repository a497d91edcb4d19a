import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

// startUpstash starts a local Upstash server for one test file. It answers what
// new Redis() takes, and how to stop it.
export async function startUpstash(...flags) {
  const command = process.env.UPSTASH_LOCAL ?? "upstash-local";
  const server = spawn(command, ["-addr", "127.0.0.1:0", "-ready", "json", "-until-eof", ...flags], {
    stdio: ["pipe", "pipe", "inherit"], // standard input ends with this process, and with it the server
  });
  const ended = once(server, "exit"); // an error too: the command is not there
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
