import { Database } from "bun:sqlite";
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BINARY, Sandbox } from "../support/sandbox.ts";
import { workerDone } from "./client.ts";

export const SAMPLE = join(import.meta.dir, "../../fixtures/transcripts/sample");

/** Names the binary: each has one sample on a machine. */
const PREFIX = `mementor-test-sample-${Bun.hash(BINARY).toString(16)}-`;

/** Gives the memory of a sandbox's project what `putSample` says, in place of what it held. The memory stays this project's. */
export async function ingestSample(sandbox: Sandbox): Promise<void> {
  await workerDone(sandbox);
  const file = sandbox.memory("mementor.db");
  const meta = metaOf(file);
  await putSample(file);
  using db = new Database(file);
  const put = db.query("INSERT OR REPLACE INTO meta VALUES (?, ?)");
  for (const row of meta) put.run(...row);
}

function metaOf(file: string): [string, string][] {
  using db = new Database(file);
  return db.query<{ key: string; value: string }, []>("SELECT key, value FROM meta").values() as [
    string,
    string,
  ][];
}

/**
 * Puts at a path what an ingest of the sample stores, with vectors. The ingest runs once for a binary and a sample: the
 * model takes seconds of work.
 */
export async function putSample(file: string): Promise<void> {
  const made = join(tmpdir(), `${PREFIX}${stateOf(BINARY)}.db`);
  if (!existsSync(made)) await make(made);
  for (const beside of ["-wal", "-shm"]) rmSync(file + beside, { force: true });
  copyFileSync(made, file);
}

/** Names the binary and the sample as they are now. */
function stateOf(binary: string): string {
  const { mtimeMs, size } = statSync(binary);
  const hash = new Bun.CryptoHasher("sha256").update(`${binary} ${mtimeMs} ${size}`);
  for (const name of namesIn(SAMPLE, "**/*")) hash.update(name).update(readFileSync(join(SAMPLE, name)));
  return hash.digest("hex").slice(0, 16);
}

async function make(file: string): Promise<void> {
  removeOthers(file);
  await using sandbox = await Sandbox.create();
  await sandbox.run(["enable", "--no-history"]);
  const { exitCode, stderr } = await sandbox.run(["ingest", SAMPLE]);
  if (exitCode !== 0) throw new Error(`mementor ingest: ${stderr}`);
  await workerDone(sandbox);
  using db = new Database(sandbox.memory("mementor.db"));
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, db.serialize());
  renameSync(unfinished, file);
}

/** Removes what the binary stored before it was built anew. */
function removeOthers(file: string): void {
  for (const path of namesIn(tmpdir(), `${PREFIX}*.db`).map((name) => join(tmpdir(), name)))
    if (path !== file) rmSync(path, { force: true });
}

function namesIn(directory: string, pattern: string): string[] {
  return [...new Bun.Glob(pattern).scanSync({ cwd: directory })].sort();
}
