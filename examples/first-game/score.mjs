import { createClient, ranked } from "@framedle/leaderboards";

let token = null;
const lb = createClient({ baseUrl: "http://127.0.0.1:8080", getToken: () => token });
token = (await lb.createDevice()).token; // an anonymous player
await lb.updateMe({ name: "Ana" });

const result = await lb.submit({ mode: "clicks", score: 42 });
if (ranked(result)) console.log(`#${result.rank} of ${result.total}`);
for await (const { rank, name, score } of lb.entries("clicks")) console.log(rank, name, score);
