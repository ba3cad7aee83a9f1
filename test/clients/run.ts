import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BINARY } from "../support/sandbox.ts";
import { CLAUDE, CLIENTS, type Client, commandOf } from "./clients.ts";

/**
 * `bun run test:clients [--only codex,gemini] [--cache DIR]` plays the real clients, each with a fresh home directory in a
 * network namespace of its own, against a model on loopback. The clients come from the package registry. Says what it
 * skips and why; exit code 1 when something that was played failed.
 */
const { values } = parseArgs({
  options: {
    only: { type: "string" },
    cache: { type: "string", default: join(tmpdir(), "mementor-clients") },
  },
});

const wanted = values.only?.split(",");
const missing = await missingTool();
let isGood = true;
const claude = missing ?? (await install(CLAUDE, folderOf(CLAUDE)));
console.log(`${CLAUDE.package} ${CLAUDE.version}, which takes part in every scene`);
if (claude !== null) console.log(`skip  ${claude}; its hook is called instead`);
for (const [index, client] of CLIENTS.filter(({ key }) => wanted?.includes(key) ?? true).entries()) {
  console.log(`\n${client.package} ${client.version} (${client.told})`);
  const reason = missing ?? (await install(client, folderOf(client)));
  if (reason !== null) console.log(`skip  ${reason}`);
  else isGood = (await play(client, index === 0)) && isGood;
}
console.log("\nskip  Cline: it is told through MCP alone, and its hub outlives a run");
process.exit(isGood ? 0 : 1);

async function missingTool(): Promise<string | null> {
  if (process.platform !== "linux" || process.arch !== "x64")
    return "the clients are played on Linux x64 only";
  for (const tool of ["npm", "node", "ip", "unshare", "script"])
    if (Bun.which(tool) === null) return `there is no ${tool}`;
  const { exitCode } = await Bun.$`unshare -rn true`.quiet().nothrow();
  return exitCode === 0 ? null : "unshare may not make a network namespace";
}

function folderOf({ id, version }: Client): string {
  return join(values.cache, `${id}-${version}`);
}

/** Returns why a client cannot be installed; null when it is there. */
async function install(client: Client, folder: string): Promise<string | null> {
  const [first = "", second = ""] = commandOf(client, folder);
  const program = client.isScript ? second : first;
  if (existsSync(program)) return null;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const wantedPackage = `${client.package}@${client.version}`;
  const npm = await Bun.$`npm install --ignore-scripts --no-audit --no-fund ${wantedPackage}`
    .cwd(folder)
    .quiet()
    .nothrow();
  if (npm.exitCode !== 0) return `npm cannot install it: ${npm.stderr.toString().trim().split("\n").at(-1)}`;
  return existsSync(program) ? null : `the package has no ${client.program}`;
}

/** What is about Claude Code alone is played once, `withTimers`. */
async function play(client: Client, withTimers: boolean): Promise<boolean> {
  const work = mkdtempSync(join(tmpdir(), "mementor-client-"));
  const scene = join(import.meta.dir, "scene.ts");
  try {
    const players = [client.key, folderOf(client), claude === null ? folderOf(CLAUDE) : ""];
    const command = ["unshare", "-rn", process.execPath, scene, ...players, work, BINARY, String(withTimers)];
    const child = Bun.spawn(command, { stdin: "ignore", stdout: "inherit", stderr: "inherit" });
    return (await child.exited) === 0;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
