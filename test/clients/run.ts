import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BINARY } from "../support/sandbox.ts";
import { CLAUDE, CLIENTS, type Client } from "./clients.ts";
import { CLIENT_CACHE, installClient } from "./install.ts";
import { type Played, writeClients } from "./page.ts";

/**
 * `bun run test:clients [--only codex,gemini] [--cache DIR] [--page]` plays the real clients, each with a fresh home directory in a
 * network namespace of its own, against a model on loopback. The clients come from the package registry. Says what it
 * skips and why; exit code 1 when something that was played failed.
 */
const { values } = parseArgs({
  options: {
    only: { type: "string" },
    cache: { type: "string", default: CLIENT_CACHE },
    page: { type: "boolean", default: false },
  },
});

const wanted = values.only?.split(",");
const missing = await missingTool();
const played: Played[] = [];
const claude = await installed(CLAUDE);
console.log(`${CLAUDE.package} ${CLAUDE.version}, which takes part in every scene`);
if ("reason" in claude) console.log(`skip  ${claude.reason}; its hook is called instead`);
for (const [index, client] of CLIENTS.filter(({ key }) => wanted?.includes(key) ?? true).entries()) {
  console.log(`\n${client.package} ${client.version} (${client.told})`);
  const own = await installed(client);
  if ("reason" in own) console.log(`skip  ${own.reason}`);
  else played.push({ client, outcomes: await play(client, own.folder, index === 0) });
  if (values.page) await writeClients(played);
}
console.log("\nskip  Cline: it is told through MCP alone, and its hub outlives a run");
process.exit(played.every(({ outcomes }) => outcomes.every(({ problem }) => problem === "")) ? 0 : 1);

async function missingTool(): Promise<string | null> {
  for (const tool of ["npm", "node", "ip", "unshare", "script"])
    if (Bun.which(tool) === null) return `there is no ${tool}`;
  const { exitCode } = await Bun.$`unshare -rn true`.quiet().nothrow();
  return exitCode === 0 ? null : "unshare may not make a network namespace";
}

function installed(client: Client): ReturnType<typeof installClient> {
  return missing === null ? installClient(client, values.cache) : Promise.resolve({ reason: missing });
}

/** What is about Claude Code alone is played once, `withTimers`. */
async function play(client: Client, folder: string, withTimers: boolean): Promise<Played["outcomes"]> {
  const work = mkdtempSync(join(tmpdir(), "mementor-client-"));
  const scene = join(import.meta.dir, "scene.ts");
  try {
    const players = [client.key, folder, "folder" in claude ? claude.folder : ""];
    const command = ["unshare", "-rn", process.execPath, scene, ...players, work, BINARY, String(withTimers)];
    const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
    const outcomes = [];
    for await (const line of linesOf(child.stdout)) {
      console.log(line);
      const [, verdict, name = ""] = /^(ok|FAIL) +(.+)$/.exec(line) ?? [];
      if (verdict !== undefined) outcomes.push({ name, problem: verdict === "ok" ? "" : verdict });
    }
    if ((await child.exited) !== 0 && outcomes.every(({ problem }) => problem === ""))
      outcomes.push({ name: "its scene", problem: "ended early" });
    return outcomes;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
