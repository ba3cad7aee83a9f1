import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from "node:crypto";
import { connect, createServer, type Socket } from "node:net";
import { connect as encrypt } from "node:tls";
import { promisify } from "node:util";
import { UNTRUSTED } from "../../../io/untrusted.ts";
import { PASSWORD_ASKED, PASSWORD_UNKNOWN } from "./errors.ts";

/** The one way to log in that gives no password away. */
const MECHANISM = "SCRAM-SHA-256";

/** With fewer rounds a stranger soon finds the password by trying words. */
const LEAST_ROUNDS = 4096;

const derive = promisify(pbkdf2);

/** The client's part of SCRAM-SHA-256 (RFC 5802, RFC 7677): both sides show that they know a password, and neither sends it. */
class Scram {
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
    if (count < LEAST_ROUNDS || count > UNTRUSTED.loginRounds) return null;
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

/** Where a server listens. */
export type Place = { readonly path: string } | { readonly host: string; readonly port: number };

/** A server that no certificate vouches for, and the password of a role there. */
interface Unverified {
  readonly place: Place;
  readonly isEncrypted: boolean;
  readonly password: string;
}

/** What stands between `Bun.SQL` and such a server. */
interface Relay {
  readonly port: number;
  /** The password for the relay itself: other programs of this machine reach its port, too. */
  readonly word: string;
  /** What kept the last login from being made; null when it was made. */
  readonly failure: unknown;
  close(): void;
}

/**
 * Starts a relay on loopback. `Bun.SQL` gives its password in whatever way a server asks for it, so here it has none: the relay
 * logs in by SCRAM alone, and passes bytes on from then on.
 */
export async function startRelay(to: Unverified): Promise<Relay> {
  const word = randomBytes(24).toString("base64url");
  const sockets = new Set<Socket>();
  const state: { failure: unknown } = { failure: null };
  const opened = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    // A connection that waits must not keep the process: `Bun.SQL` does while something runs.
    socket.unref();
    return socket;
  };
  const listener = createServer((client) => {
    serve(opened(client), to, word, opened).then(
      (isLoggedIn) => {
        if (isLoggedIn) state.failure = null;
      },
      (error: unknown) => {
        // A client that left has an error of its own.
        state.failure = client.destroyed ? null : error;
        // Where a connection only ends, `Bun.SQL` tries again until its time is up.
        if (isEnded(error)) client.end();
        else client.end(message("E", "SFATAL", "C08001", "Mthe relay could not log in", Buffer.alloc(1)));
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(0, "127.0.0.1", resolve);
  });
  listener.unref();
  const address = listener.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    word,
    get failure() {
      return state.failure;
    },
    close() {
      listener.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const CANCEL_REQUEST = 80_877_102;
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);
const UNEXPECTED = "ERR_POSTGRES_UNEXPECTED_MESSAGE";
/** Kinds of the message `R`, by which a server asks for a login and takes it. */
const AUTHENTICATION = { ok: 0, clear: 3, sasl: 10, challenge: 11, last: 12 } as const;

/**
 * Takes one connection of `Bun.SQL` to the server. Resolves to true when that is logged in, and rejects with what a user should
 * know when it cannot be. A request to cancel logs in nowhere: one that fails says nothing of the connection that it is about.
 */
async function serve(
  client: Socket,
  to: Unverified,
  word: string,
  opened: (socket: Socket) => Socket,
): Promise<boolean> {
  const startup = await takeStartup(client);
  if (startup.readInt32BE(4) === CANCEL_REQUEST) {
    await passOn(startup, client, to, opened).catch(() => client.end());
    return false;
  }
  client.write(message("R", AUTHENTICATION.clear));
  const { type, body } = await takeMessage(client);
  if (type !== "p" || body.toString() !== `${word}\0`) {
    client.destroy();
    return false;
  }
  const server = await reach(to, (socket) => {
    client.on("close", () => socket.destroy());
    return opened(socket);
  });
  server.on("close", () => client.end());
  server.write(startup);
  client.write(await logIn(server, to.password));
  server.pipe(client);
  client.pipe(server);
  return true;
}

/** Passes a request to cancel on, which the server takes without a login and without an answer. */
async function passOn(request: Buffer, client: Socket, to: Unverified, opened: (socket: Socket) => Socket) {
  const server = await reach(to, opened);
  server.on("close", () => client.end());
  server.resume().end(request);
}

/** Connects to the server, encrypted where that was asked for. */
async function reach({ place, isEncrypted }: Unverified, opened: (socket: Socket) => Socket) {
  const socket = opened(connect(place));
  await happened(socket, "connect", coded("ERR_POSTGRES_CONNECTION_REFUSED"));
  if (!isEncrypted) return socket;
  socket.write(SSL_REQUEST);
  const answer = (await take(socket, 1)).toString("latin1");
  if (answer === "N") throw coded("ERR_POSTGRES_TLS_NOT_AVAILABLE");
  // What is there already was not said within the encryption.
  if (answer !== "S" || socket.readableLength > 0) throw coded(UNEXPECTED);
  const secure = opened(encrypt({ socket, rejectUnauthorized: false }));
  await happened(secure, "secureConnect", coded(UNEXPECTED));
  return secure;
}

/** Logs in without giving the password away. Returns what `Bun.SQL` should hear: that the login was taken, or the server's error. */
async function logIn(server: Socket, password: string): Promise<Buffer> {
  const asked = await heard(server);
  if (asked.type === "E" || asked.kind === AUTHENTICATION.ok) return asked.bytes;
  if (asked.type !== "R") throw coded(UNEXPECTED);
  if (asked.kind !== AUTHENTICATION.sasl || !asked.text.split("\0").includes(MECHANISM))
    throw coded(PASSWORD_ASKED);
  const scram = new Scram(password);
  server.write(message("p", MECHANISM, scram.first.length, Buffer.from(scram.first)));
  const challenge = await heard(server);
  if (challenge.type === "E") return challenge.bytes;
  const answer = challenge.kind === AUTHENTICATION.challenge ? await scram.answer(challenge.text) : null;
  if (answer === null) throw coded(PASSWORD_ASKED);
  server.write(message("p", Buffer.from(answer)));
  const last = await heard(server);
  if (last.type === "E") return last.bytes;
  if (last.kind !== AUTHENTICATION.last || !scram.isServer(last.text)) throw coded(PASSWORD_UNKNOWN);
  const taken = await heard(server);
  if (taken.type === "E" || taken.kind === AUTHENTICATION.ok) return taken.bytes;
  throw coded(UNEXPECTED);
}

/** The server's next message but notices, with the kind and text of one about the login. */
async function heard(server: Socket): Promise<Message & { kind: number | null; text: string }> {
  for (;;) {
    const next = await takeMessage(server);
    if (next.type === "N") continue;
    const isOfLogin = next.type === "R" && next.body.length >= 4;
    return {
      ...next,
      kind: isOfLogin ? next.body.readInt32BE(0) : null,
      text: next.body.subarray(4).toString(),
    };
  }
}

function happened(socket: Socket, event: string, failure: Error): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, resolve);
    socket.once("close", () => reject(failure));
  });
}

/** A message of PostgreSQL's protocol 3.0. `bytes` is the whole of it. */
interface Message {
  readonly type: string;
  readonly body: Buffer;
  readonly bytes: Buffer;
}

/** Reads the first packet of a connection, which has no type. */
async function takeStartup(socket: Socket): Promise<Buffer> {
  const length = await take(socket, 4);
  return Buffer.concat([length, await take(socket, bodyLength(length))]);
}

/** Reads a message of a login. */
async function takeMessage(socket: Socket): Promise<Message> {
  const head = await take(socket, 5);
  const body = await take(socket, bodyLength(head.subarray(1)));
  return { type: head.toString("latin1", 0, 1), body, bytes: Buffer.concat([head, body]) };
}

function bodyLength(length: Buffer): number {
  const count = length.readInt32BE(0) - 4;
  if (count >= 4 && count <= UNTRUSTED.loginBytes) return count;
  throw coded("ERR_POSTGRES_UNEXPECTED_MESSAGE");
}

/** An error with a code that `errors.ts` has a meaning for. */
function coded(code: string): Error {
  return Object.assign(new Error(code), { code });
}

const ENDED = "ERR_POSTGRES_CONNECTION_FAILED";

/** Whether an error says that a connection ended before all was read. */
function isEnded(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === ENDED;
}

/** Reads so many bytes; rejects when the connection ends before. */
async function take(socket: Socket, length: number): Promise<Buffer> {
  for (;;) {
    const data: Buffer | null = socket.read(length);
    if (data?.length === length) return data;
    if (data !== null || socket.readableEnded || socket.destroyed) throw coded(ENDED);
    await new Promise<void>((resolve) => {
      const events = ["readable", "end", "close"];
      const done = () => {
        for (const event of events) socket.off(event, done);
        resolve();
      };
      for (const event of events) socket.on(event, done);
    });
  }
}

/** Makes a message: texts end with a zero byte, and numbers are 32 bits wide. */
function message(type: string, ...parts: readonly (Buffer | string | number)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => {
      if (typeof part === "string") return Buffer.from(`${part}\0`);
      return typeof part === "number" ? int32(part) : part;
    }),
  );
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
