import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";

/** What PostgreSQL itself takes by default. */
const ITERATIONS = 4096;

/**
 * Returns what the server stores of a password. Given to `CREATE ROLE` in its place, the password is never sent, and so
 * never in a log of the server. The password must be ASCII.
 *
 * @see https://www.rfc-editor.org/rfc/rfc5803
 */
export function scramVerifier(password: string, salt: Uint8Array = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, "sha256");
  const key = (name: string) => createHmac("sha256", salted).update(name).digest();
  const stored = createHash("sha256").update(key("Client Key")).digest("base64");
  const salt64 = Buffer.from(salt).toString("base64");
  return `SCRAM-SHA-256$${ITERATIONS}:${salt64}$${stored}:${key("Server Key").toString("base64")}`;
}

/** Makes a password of 24 characters, which needs no encoding in a URL. */
export function newPassword(): string {
  return randomBytes(18).toString("base64url");
}
