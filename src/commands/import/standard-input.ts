import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Host } from "../../host.ts";

/** Stands for the standard input. */
export const STDIN = "-";

/** Calls `use` with a file that holds the standard input, since an import reads it twice. Only its owner may read it. */
export async function withStandardInput<T>(host: Host, use: (file: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(host.tempDir, "mementor-import-"));
  try {
    const file = join(directory, "standard-input");
    await pipeline(host.stdin.chunks(), createWriteStream(file, { mode: 0o600 }));
    return await use(file);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
