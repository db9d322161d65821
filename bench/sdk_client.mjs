// The memory tools as editors reach them: through the protocol's own client (the SDK that the npm server depends on),
// which starts `holdfast mcp` and talks to it on stdio. Pings and searches in turn, for each word of a file; prints the
// medians of both in milliseconds.
//   node sdk_client.mjs PEER_SCRIPT HOLDFAST DATA_FOLDER WORDS_FILE
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [peer, holdfast, data, words] = process.argv.slice(2);
const { resolve } = createRequire(peer);
const { Client } = await import(resolve("@modelcontextprotocol/sdk/client/index.js"));
const { StdioClientTransport } = await import(resolve("@modelcontextprotocol/sdk/client/stdio.js"));

async function millisOf(act) {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

async function search(client, query) {
  const args = { mode: "search", input_data: { query } };
  const answer = await client.callTool({ name: "memory_query", arguments: { args } });
  if (answer.isError) throw new Error(JSON.stringify(answer));
}

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

const client = new Client({ name: "bench", version: "1" });
await client.connect(new StdioClientTransport({ command: holdfast, args: ["mcp", "--data", data], stderr: "ignore" }));
const pings = [];
const searches = [];
// Twice: the first time warms up the SDK, which is compiled while it runs.
for (const warm of [false, true]) {
  for (const word of readFileSync(words, "utf8").trim().split("\n")) {
    const ping = await millisOf(() => client.ping());
    const found = await millisOf(() => search(client, word));
    if (!warm) continue;
    pings.push(ping);
    searches.push(found);
  }
}
console.log(median(pings), median(searches));
await client.close();
