import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MementorError } from "../errors.ts";
import { systemCode } from "../io/errors.ts";
import { temporaryName } from "../io/system.ts";
import { ensurePrivateDir } from "../io/write.ts";

/** The name of the key in the data directory. */
export const KEY_FILE = "forget.key";
const BYTES = 32;

/**
 * Returns the user's key for the hashes of forgotten turns, 32 bytes. Creates it at its first use. It is stored apart
 * from the databases, so that a database alone does not allow guessing the hashed values.
 *
 * @throws `io` when the file of the key is damaged.
 */
export function tombstoneKey(dataDir: string): Uint8Array {
  const file = join(dataDir, KEY_FILE);
  const key = readKey(file) ?? makeKey(dataDir, file);
  if (key.byteLength === BYTES) return key;
  throw new MementorError("io", `${file} is damaged`, {
    hint: "Restore it from a backup. Without it, forgotten turns could come back.",
  });
}

function readKey(file: string): Uint8Array | null {
  try {
    return readFileSync(file);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** If several processes create the key at once, one wins and all use its key. */
function makeKey(dataDir: string, file: string): Uint8Array {
  ensurePrivateDir(dataDir);
  const temporary = temporaryName(file);
  try {
    writeFileSync(temporary, crypto.getRandomValues(new Uint8Array(BYTES)), { mode: 0o600, flush: true });
    linkSync(temporary, file);
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  return readFileSync(file);
}
