// Callers of the observations API as agents and CI jobs are: programs that make their requests and read the answers.
// One by one and in batches in turn, so that both meet the same store and the same machine; prints how many
// observations a second each way made.
//   node observation_callers.mjs PORT CALLERS OBSERVATIONS_FILE
// The file has one observation a line; they are used in that order, none twice.
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";

const [port, callers, file] = process.argv.slice(2);
const kRounds = 5;
const kSingles = 1000; // a round
const kBatches = 100;
const kBatch = 100;

const observations = readFileSync(file, "utf8").trim().split("\n").map(JSON.parse);
const agent = new Agent({ keepAlive: true, maxSockets: Number(callers) });
let used = 0;

function post(path, key, body) {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const headers = {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(text),
      "Idempotency-Key": key,
    };
    const sent = request({ port, path, method: "POST", agent, headers }, (answer) => {
      const pieces = [];
      answer.on("data", (piece) => pieces.push(piece));
      answer.on("end", () => {
        const read = JSON.parse(Buffer.concat(pieces).toString());
        if (answer.statusCode === 201) resolve(read);
        else reject(new Error(`${answer.statusCode} ${JSON.stringify(read)}`));
      });
    });
    sent.on("error", reject);
    sent.end(text);
  });
}

function single() {
  const number = used++;
  return () => post("/observations", `node:one:${number}`, observations[number]);
}

function batch() {
  const first = used;
  used += kBatch;
  const body = { commit_id: `node${first}`, observations: observations.slice(first, used) };
  return () => post("/observations/batch", `node:batch:${first}`, body);
}

// The seconds that so many requests take, each caller making its next when it has read its last.
async function secondsOf(count, make) {
  const requests = Array.from({ length: count }, make);
  const start = performance.now();
  const caller = async () => {
    while (requests.length > 0) await requests.pop()();
  };
  await Promise.all(Array.from({ length: Number(callers) }, caller));
  return (performance.now() - start) / 1000;
}

await secondsOf(kSingles, single); // Node compiles while it runs; not measured
await secondsOf(kBatches / 10, batch);
let singles = 0;
let batches = 0;
for (let round = 0; round < kRounds; ++round) {
  singles += await secondsOf(kSingles, single);
  batches += await secondsOf(kBatches, batch);
}
console.log((kRounds * kSingles) / singles, (kRounds * kBatches * kBatch) / batches);
agent.destroy();
