import { tombstoneKey } from "./tombstone-key.ts";

const CIPHER = "AES-GCM";
const IV_BYTES = 12;

/**
 * Encrypts a text with the user's key, which is stored apart from the memories. For text that waits for redaction, because
 * loading the rules would take a hook too long.
 */
export async function seal(text: string, dataDir: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const bytes = Buffer.from(text);
  const sealed = await crypto.subtle.encrypt({ name: CIPHER, iv }, await keyFor("encrypt", dataDir), bytes);
  return Buffer.concat([iv, Buffer.from(sealed)]).toString("base64");
}

/** Returns a sealed text; null when it was sealed under another key, or is damaged. */
export async function unseal(sealed: string, dataDir: string): Promise<string | null> {
  const bytes = Buffer.from(sealed, "base64");
  const [iv, rest] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES)];
  try {
    const text = await crypto.subtle.decrypt({ name: CIPHER, iv }, await keyFor("decrypt", dataDir), rest);
    return Buffer.from(text).toString();
  } catch {
    return null;
  }
}

/** The key is derived from the one for the hashes of forgotten turns. */
function keyFor(use: "encrypt" | "decrypt", dataDir: string): Promise<CryptoKey> {
  const bytes = new Bun.CryptoHasher("sha256", tombstoneKey(dataDir)).update("queue").digest();
  return crypto.subtle.importKey("raw", new Uint8Array(bytes), CIPHER, false, [use]);
}
