import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from "node:crypto";
import { connect, createServer, type Socket } from "node:net";
import { connect as encrypt } from "node:tls";
import { promisify } from "node:util";
import { UNTRUSTED } from "../../../io/untrusted.ts";
import { PASSWORD_ASKED, PASSWORD_UNKNOWN } from "./errors.ts";

/** The only login method that does not reveal the password. */
const MECHANISM = "SCRAM-SHA-256";

/** Minimum number of rounds. With fewer, a stranger soon finds the password by trying words. */
const LEAST_ROUNDS = 4096;

const derive = promisify(pbkdf2);

/** The client side of SCRAM-SHA-256 (RFC 5802, RFC 7677). Both sides prove that they know a password, and neither sends it. */
class Scram {
  readonly #password: string;
  readonly #nonce = randomBytes(18).toString("base64");
  #signature: Buffer | null = null;

  constructor(password: string) {
    this.#password = password;
  }

  /** The first message, without channel binding, because no certificate vouches for these connections. */
  get first(): string {
    return `n,,${this.#bare}`;
  }

  /** Answers the server's first message; null for a message that no honest server sends. */
  async answer(challenge: string): Promise<string | null> {
    const [, nonce = "", salt = "", rounds = ""] = /^r=([^,]+),s=([^,]+),i=(\d{1,9})$/.exec(challenge) ?? [];
    const count = Number(rounds);
    if (!nonce.startsWith(this.#nonce) || nonce === this.#nonce) return null;
    if (count < LEAST_ROUNDS || count > UNTRUSTED.loginRounds) return null;
    // PostgreSQL stores passwords in one normalised form (RFC 4013).
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

  /** Tells whether the server's last message proves that it knows the password, too. */
  isServer(last: string): boolean {
    const theirs = Buffer.from(/^v=(.+)$/.exec(last)?.[1] ?? "", "base64");
    return theirs.length === this.#signature?.length && timingSafeEqual(theirs, this.#signature);
  }

  /** The first message without its header. PostgreSQL takes the user's name from the startup message, so it is empty here. */
  get #bare(): string {
    return `n=,r=${this.#nonce}`;
  }
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

/** The address where a server listens. */
export type ServerAddress = { readonly path: string } | { readonly host: string; readonly port: number };

/** A server without a certificate, and the password of a role on it. */
interface Unverified {
  readonly place: ServerAddress;
  readonly isEncrypted: boolean;
  readonly password: string;
}

/** A local proxy between `Bun.SQL` and such a server. */
interface Relay {
  readonly port: number;
  /** Password of the relay itself, since other programs on this machine can reach its port, too. */
  readonly word: string;
  /** Reason why the last login failed; null when it succeeded. */
  readonly failure: unknown;
  close(): void;
}

/**
 * Starts a relay on loopback. `Bun.SQL` gives its password in whatever way a server asks for it, so it does not get the password:
 * the relay logs in by SCRAM, and then passes bytes through.
 */
export async function startRelay(to: Unverified): Promise<Relay> {
  const word = randomBytes(24).toString("base64url");
  const sockets = new Set<Socket>();
  const state: { failure: unknown } = { failure: null };
  const opened = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    // A waiting connection must not keep the process alive; `Bun.SQL` does while it runs something.
    socket.unref();
    return socket;
  };
  const listener = createServer((client) => {
    serve(opened(client), to, word, opened).then(
      (isLoggedIn) => {
        if (isLoggedIn) state.failure = null;
      },
      (error: unknown) => {
        // A disconnected client has an error of its own.
        state.failure = client.destroyed ? null : error;
        // When a connection merely ends, `Bun.SQL` would retry until its timeout.
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
/** Kinds of the authentication message `R`. */
const AUTHENTICATION = { ok: 0, clear: 3, sasl: 10, challenge: 11, last: 12 } as const;

/**
 * Connects one client connection of `Bun.SQL` to the server. Resolves to true after a login, and rejects with a readable error
 * when it fails. A cancel request needs no login; when it fails, that says nothing about the connection to cancel.
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

/** Forwards a cancel request. The server needs no login for it and sends no answer. */
async function passOn(request: Buffer, client: Socket, to: Unverified, opened: (socket: Socket) => Socket) {
  const server = await reach(to, opened);
  server.on("close", () => client.end());
  server.resume().end(request);
}

/** Connects to the server, encrypted if requested. */
async function reach({ place, isEncrypted }: Unverified, opened: (socket: Socket) => Socket) {
  const socket = opened(connect(place));
  await happened(socket, "connect", coded("ERR_POSTGRES_CONNECTION_REFUSED"));
  if (!isEncrypted) return socket;
  socket.write(SSL_REQUEST);
  const answer = (await take(socket, 1)).toString("latin1");
  if (answer === "N") throw coded("ERR_POSTGRES_TLS_NOT_AVAILABLE");
  // Bytes that arrived already were not sent within the encryption.
  if (answer !== "S" || socket.readableLength > 0) throw coded(UNEXPECTED);
  const secure = opened(encrypt({ socket, rejectUnauthorized: false }));
  await happened(secure, "secureConnect", coded(UNEXPECTED));
  return secure;
}

/** Logs in without revealing the password. Returns the server's message for `Bun.SQL`: success or an error. */
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

/** Returns the server's next message except notices, with kind and text if it belongs to the login. */
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

/** A message of PostgreSQL's protocol 3.0; `bytes` is the whole message. */
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

/** Returns an error with a code that `errors.ts` explains. */
function coded(code: string): Error {
  return Object.assign(new Error(code), { code });
}

const ENDED = "ERR_POSTGRES_CONNECTION_FAILED";

/** Tells whether an error means that a connection ended too early. */
function isEnded(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === ENDED;
}

/** Reads this many bytes. Rejects when the connection ends first. */
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

/** Builds a message. Texts end with a zero byte; numbers have 32 bits. */
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
