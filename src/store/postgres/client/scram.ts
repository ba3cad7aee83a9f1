import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

/** The one way to log in that gives no password away. */
export const MECHANISM = "SCRAM-SHA-256";

/** With fewer rounds a stranger soon finds the password by trying words; more would keep this machine busy. */
const LEAST_ROUNDS = 4096;
const MOST_ROUNDS = 1_000_000;

const derive = promisify(pbkdf2);

/** The client's part of SCRAM-SHA-256 (RFC 5802, RFC 7677): both sides show that they know a password, and neither sends it. */
export class Scram {
  readonly #password: string;
  readonly #nonce = randomBytes(18).toString("base64");
  #signature: Buffer | null = null;

  constructor(password: string) {
    this.#password = password;
  }

  /** The first message, without channel binding: this is for connections that no certificate vouches for. */
  get first(): string {
    return `n,,${this.#bare}`;
  }

  /** Answers the server's first message. Null for one that no honest server sends. */
  async answer(challenge: string): Promise<string | null> {
    const [, nonce = "", salt = "", rounds = ""] = /^r=([^,]+),s=([^,]+),i=(\d{1,9})$/.exec(challenge) ?? [];
    const count = Number(rounds);
    if (!nonce.startsWith(this.#nonce) || nonce === this.#nonce) return null;
    if (count < LEAST_ROUNDS || count > MOST_ROUNDS) return null;
    // PostgreSQL stores one form of characters that can be written in several ways (RFC 4013).
    const password = this.#password.normalize("NFKC");
    const salted = await derive(password, Buffer.from(salt, "base64"), count, 32, "sha256");
    const withoutProof = `c=biws,r=${nonce}`;
    const signed = `${this.#bare},${challenge},${withoutProof}`;
    const clientKey = hmac(salted, "Client Key");
    const proof = hmac(createHash("sha256").update(clientKey).digest(), signed);
    for (const [i, byte] of clientKey.entries()) proof[i] = (proof[i] ?? 0) ^ byte;
    this.#signature = hmac(hmac(salted, "Server Key"), signed);
    return `${withoutProof},p=${proof.toString("base64")}`;
  }

  /** Tells whether the server's last message shows that it knows the password, too. */
  isServer(last: string): boolean {
    const theirs = Buffer.from(/^v=(.+)$/.exec(last)?.[1] ?? "", "base64");
    return theirs.length === this.#signature?.length && timingSafeEqual(theirs, this.#signature);
  }

  /** PostgreSQL takes the user's name from the startup, so none is here. */
  get #bare(): string {
    return `n=,r=${this.#nonce}`;
  }
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
