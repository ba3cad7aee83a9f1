import { enabled } from "../support/enabled.ts";
import { makeRepository, type Talk, writeSession } from "../support/projects.ts";
import type { Sandbox } from "../support/sandbox.ts";

/** Makes a repository with one session, and a memory that has read it. */
export async function makeProject(sandbox: Sandbox, name: string, talk: Talk, day = 3): Promise<string> {
  const path = await makeRepository(sandbox, name);
  const file = writeSession(sandbox, path, talk, { day });
  await enabled(sandbox, path);
  await sandbox.run(["ingest", file], { cwd: path });
  return path;
}
