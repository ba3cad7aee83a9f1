import { createHash, createHmac, randomBytes } from "node:crypto";
import type { PGlite } from "@electric-sql/pglite";
import { message, takeMessages } from "./wire.ts";

/**
 * The one session of a PGlite, shared by many clients as a pooler in transaction mode shares it: a client has it from the
 * first statement of a transaction to its end, and finds nothing that another one set, prepared or made temporary.
 */
export class SharedSession {
  readonly #db: PGlite;
  readonly #waiting: (() => void)[] = [];
  readonly #left = new WeakSet<object>();
  #holder: object | null = null;
  #last: object | null = null;

  constructor(db: PGlite) {
    this.#db = db;
  }

  /** Runs messages of a client that acts as `role`, and gives the answer's bytes. Waits while another is in a transaction. */
  async run(client: object, role: string, messages: Uint8Array): Promise<Uint8Array> {
    while (this.#holder !== null && this.#holder !== client)
      await new Promise<void>((free) => this.#waiting.push(free));
    if (this.#left.has(client)) return new Uint8Array();
    if (this.#last !== client) this.#change(role);
    this.#last = client;
    this.#holder = client;
    const answer = this.#db.execProtocolRawSync(messages);
    if (stateAfter(answer) === "I") this.#free();
    return answer;
  }

  /** A client that left: its transaction ends without effect. */
  leave(client: object): void {
    this.#left.add(client);
    if (this.#holder !== client) return;
    this.#simple("ROLLBACK");
    this.#free();
  }

  /** The verifier of a role's password, null without a password; undefined where the role may not log in. */
  passwordOf(role: string): string | null | undefined {
    const [row] = this.#rows(
      `SELECT coalesce(rolpassword, '') FROM pg_authid WHERE rolcanlogin AND rolname = '${role.replaceAll("'", "''")}'`,
    );
    return row === undefined ? undefined : row || null;
  }

  /** Resolves when no client is in a transaction. */
  async idle(): Promise<void> {
    while (this.#holder !== null) await new Promise<void>((free) => this.#waiting.push(free));
    this.#change("postgres");
  }

  #change(role: string): void {
    this.#last = null;
    this.#simple("DISCARD ALL");
    this.#simple(`SET SESSION AUTHORIZATION "${role.replaceAll('"', '""')}"`);
  }

  #free(): void {
    this.#holder = null;
    for (const free of this.#waiting.splice(0)) free();
  }

  #simple(sql: string): Uint8Array {
    return this.#db.execProtocolRawSync(message("Q", sql));
  }

  #rows(sql: string): string[] {
    const { messages } = takeMessages(Buffer.from(this.#simple(sql)));
    return messages.filter(({ type }) => type === "D").map(({ body }) => body.subarray(6).toString());
  }
}

/** The state of the transaction after an answer: `I` outside, `T` within, `E` failed; null when the answer goes on. */
function stateAfter(answer: Uint8Array): string | null {
  const last = takeMessages(Buffer.from(answer)).messages.findLast(({ type }) => type === "Z");
  return last?.body.toString() ?? null;
}

/** The server's part of SCRAM-SHA-256, for what PostgreSQL stores of a password. */
export class ScramServer {
  readonly #parts: readonly string[];
  #signed = "";

  constructor(verifier: string) {
    this.#parts = /^SCRAM-SHA-256\$(\d+):([^$]+)\$([^:]+):(.+)$/.exec(verifier)?.slice(1) ?? [];
  }

  /** Answers the client's first message. */
  challenge(first: string): string {
    const bare = first.replace(/^n,,/, "");
    const [rounds, salt] = this.#parts;
    const challenge = `${bare.replace(/^.*?r=/, "r=")}${randomBytes(18).toString("base64")},s=${salt},i=${rounds}`;
    this.#signed = `${bare},${challenge}`;
    return challenge;
  }

  /** Answers the client's second message; null when its password is another. */
  answer(last: string): string | null {
    const [, , storedKey = "", serverKey = ""] = this.#parts;
    const [, withoutProof = "", proof = ""] = /^(.*),p=(.*)$/.exec(last) ?? [];
    const signed = `${this.#signed},${withoutProof}`;
    const mask = createHmac("sha256", Buffer.from(storedKey, "base64")).update(signed).digest();
    const clientKey = Buffer.from(proof, "base64").map((byte, i) => byte ^ (mask[i] ?? 0));
    if (createHash("sha256").update(clientKey).digest("base64") !== storedKey) return null;
    return `v=${createHmac("sha256", Buffer.from(serverKey, "base64")).update(signed).digest("base64")}`;
  }
}
