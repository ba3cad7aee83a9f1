import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SCRATCH } from "./scratch.ts";

/**
 * Returns a function that puts an empty database at a path. `create` makes the first one; the others are copies of it,
 * for a schema takes longer to create than a small transcript to ingest.
 */
export function emptyDatabases(
  create: (file: string) => Promise<{ close(): Promise<void> }>,
): (file: string) => Promise<void> {
  let template: Promise<Buffer> | null = null;
  const made = async () => {
    const directory = mkdtempSync(join(SCRATCH, "mementor-empty-"));
    try {
      const file = join(directory, "mementor.db");
      await (await create(file)).close();
      if (existsSync(`${file}-wal`)) throw new Error("the template has a log beside it");
      return readFileSync(file);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  };
  return async (file) => {
    template ??= made();
    writeFileSync(file, await template, { mode: 0o600, flag: "wx" });
  };
}
