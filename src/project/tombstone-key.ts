import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MementorError } from "../errors.ts";
import { ensurePrivateDir } from "../io/directory.ts";
import { systemCode } from "../io/errors.ts";
import { temporaryName } from "../io/write.ts";

const FILE = "forget.key";
const BYTES = 32;

/**
 * Returns the user's key for hashes of what was forgotten, 32 bytes, making it at its first use. It lies apart from the
 * databases: whoever has only a database cannot try out what a hash stands for.
 */
export function tombstoneKey(dataDir: string): Uint8Array {
  const file = join(dataDir, FILE);
  const key = readKey(file) ?? makeKey(dataDir, file);
  if (key.byteLength === BYTES) return key;
  throw new MementorError("io", `${file} is damaged`, {
    hint: "Restore it from a backup. Without it what was forgotten could come back.",
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

/** Of several processes that make it at once, one wins and all take its key. */
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
