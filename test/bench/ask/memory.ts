import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { vacuumInto } from "../../../src/store/sqlite/file/copy.ts";
import { outcomeOf } from "../../support/outcome.ts";
import { memoryPlace } from "../../support/place.ts";
import { transcriptOf, uuidOf } from "../settled-transcript.ts";
import { readTalks } from "./tasks.ts";

/** A binary with the HOME and the cache that it is given. */
export interface Program {
  binary: string;
  home: string;
  /** Where it unpacks itself: once for all tasks. */
  cache: string;
}

/** Runs the binary in a project and returns what it printed; throws where it fails. */
export async function runProgram(
  { binary, home, cache }: Program,
  project: string,
  args: readonly string[],
  { stdin = "", path = "/usr/bin:/bin" }: { stdin?: string; path?: string } = {},
): Promise<string> {
  const child = Bun.spawn([binary, ...args], {
    cwd: project,
    env: { HOME: home, XDG_CACHE_HOME: cache, PATH: path, LANG: "C.UTF-8" },
    stdin: Buffer.from(stdin),
    stdout: "pipe",
    stderr: "pipe",
  });
  const { stdout, stderr, exitCode } = await outcomeOf(child);
  if (exitCode !== 0) throw new Error(`mementor ${args.join(" ")}: exit ${exitCode}: ${stderr}`);
  return stdout;
}

/** Returns the database of a memory that holds all conversations. It is made once for each binary and set of conversations. */
export async function sharedDatabase(directory: string, binary: string, cache: string): Promise<string> {
  const place = join(directory, `memory-${keyOf(binary)}`);
  const database = join(place, "mementor.db");
  if (existsSync(database)) return database;
  const making = `${place}.making`;
  rmSync(making, { recursive: true, force: true });
  const program = { binary, cache, home: join(making, "home") };
  const project = join(making, "lendry");
  mkdirSync(project, { recursive: true });
  await Bun.$`git init -q -b main ${project}`;
  const transcripts = writeTranscripts(program.home, project);
  await runProgram(program, project, ["enable", "--no-history"]);
  await runProgram(program, project, ["ingest", transcripts]);
  await runProgram(program, project, ["ingest", "--now"]);
  mkdirSync(place, { recursive: true });
  vacuumInto(join(memoryPlace(program.home, project), "mementor.db"), `${database}.part`);
  renameSync(`${database}.part`, database);
  rmSync(making, { recursive: true, force: true });
  return database;
}

/** Writes what Claude Code would have left of all conversations, and returns the directory. */
function writeTranscripts(home: string, project: string): string {
  const transcripts = join(home, ".claude/projects", project.replaceAll(/[^A-Za-z0-9]/g, "-"));
  mkdirSync(transcripts, { recursive: true });
  for (const talk of readTalks()) {
    const sessionId = uuidOf(talk.id);
    const file = join(transcripts, `${sessionId}.jsonl`);
    writeFileSync(file, `${transcriptOf(talk, { sessionId, cwd: project }).join("\n")}\n`);
    utimesSync(file, Date.parse(talk.at) / 1_000, Date.parse(talk.at) / 1_000);
  }
  return transcripts;
}

function keyOf(binary: string): string {
  const hash = new Bun.CryptoHasher("sha256").update(readFileSync(binary));
  return hash.update(JSON.stringify(readTalks())).digest("hex").slice(0, 12);
}
