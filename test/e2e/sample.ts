import { Database } from "bun:sqlite";
import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { enabled } from "../support/enabled.ts";
import { madeOnce } from "../support/made-once.ts";
import { BINARY, Sandbox } from "../support/sandbox.ts";
import { workerDone } from "./client.ts";

export const SAMPLE = join(import.meta.dir, "../../fixtures/transcripts/sample");

/**
 * Gives the memory of a sandbox's project what `putSample` says, in place of what it held. The memory stays this project's,
 * or becomes it.
 */
export async function ingestSample(sandbox: Sandbox): Promise<void> {
  if (!existsSync(sandbox.memory())) await enabled(sandbox);
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
  const made = await madeOnce("sample", { binary: BINARY, inputs: hashOfSample() }, make);
  for (const beside of ["-wal", "-shm"]) rmSync(file + beside, { force: true });
  copyFileSync(made, file);
  chmodSync(file, 0o600);
}

function hashOfSample(): string {
  const hash = new Bun.CryptoHasher("sha256");
  for (const name of [...new Bun.Glob("**/*").scanSync({ cwd: SAMPLE })].sort())
    hash.update(name).update(readFileSync(join(SAMPLE, name)));
  return hash.digest("hex");
}

async function make(file: string): Promise<void> {
  await using sandbox = await Sandbox.create();
  await enabled(sandbox);
  const { exitCode, stderr } = await sandbox.run(["ingest", SAMPLE]);
  if (exitCode !== 0) throw new Error(`mementor ingest: ${stderr}`);
  await workerDone(sandbox);
  using db = new Database(sandbox.memory("mementor.db"));
  writeFileSync(file, db.serialize());
}
