import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as encrypt } from "node:tls";
import { MementorError } from "../../../errors.ts";
import { UNTRUSTED } from "../../../io/untrusted.ts";
import { PASSWORD_ASKED } from "./errors.ts";

/** The only login method that does not reveal the password: both sides prove that they know it, and neither sends it. */
const MECHANISM = "SCRAM-SHA-256";

/** Minimum number of rounds. With fewer, a stranger soon finds the password by trying words. */
const LEAST_ROUNDS = 4096;

/** The address where a server listens. */
export type ServerAddress = { readonly path: string } | { readonly host: string; readonly port: number };

/** A server without a certificate. */
interface Unverified {
  readonly place: ServerAddress;
  readonly isEncrypted: boolean;
}

/** A local proxy between `Bun.SQL` and such a server. */
interface Relay {
  /** The address where the relay listens. */
  readonly place: ServerAddress;
  /** Reason why the relay aborted the last login; null when the server answered it. */
  readonly failure: unknown;
  close(): void;
}

/**
 * Starts a relay on this machine. `Bun.SQL` gives its password in whatever way a server asks for it, so the relay lets only SCRAM
 * through. It knows no password. A server may let this user in without one, so nobody else may connect to the relay.
 */
export async function startRelay(to: Unverified): Promise<Relay> {
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
    serve(opened(client), to, opened).then(
      (isAnswered) => {
        if (isAnswered) state.failure = null;
      },
      (error: unknown) => {
        // A disconnected client has an error of its own.
        state.failure = client.destroyed ? null : error;
        // When a connection merely ends, `Bun.SQL` would retry until its timeout.
        if (isEnded(error)) client.end();
        else client.end(FAILED);
      },
    );
  });
  const { place, remove } = await listenForThisUser(listener);
  listener.unref();
  return {
    place,
    get failure() {
      return state.failure;
    },
    close() {
      listener.close();
      for (const socket of sockets) socket.destroy();
      remove();
    },
  };
}

/**
 * Listens on a socket in a new directory that only this user may enter; on Windows, where no server knows its users by their
 * sockets, on loopback.
 */
async function listenForThisUser(listener: Server): Promise<{ place: ServerAddress; remove: () => void }> {
  if (process.platform === "win32") {
    await listenAt(listener, { host: "127.0.0.1", port: 0 });
    const address = listener.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    return { place: { host: "127.0.0.1", port }, remove: () => undefined };
  }
  let directory: string | null = null;
  const remove = () => {
    process.off("exit", remove);
    if (directory !== null) rmSync(directory, { recursive: true, force: true });
  };
  process.on("exit", remove);
  try {
    directory = mkdtempSync(join(tmpdir(), "mementor-relay-"));
    const place = { path: join(directory, "socket") };
    await listenAt(listener, place);
    return { place, remove };
  } catch (cause) {
    remove();
    throw new MementorError("not_writable", `no socket can be made in ${tmpdir()}`, {
      hint: "Let TMPDIR name a directory that you can write to, or reach the server by verified TLS (sslmode=verify-full).",
      cause,
    });
  }
}

function listenAt(listener: Server, place: ServerAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(place, resolve);
  });
}

const CANCEL_REQUEST = 80_877_102;
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);
/** The error message `E` with its severity, its state and a text. */
const FAILED = Buffer.from("E\0\0\0\x2fSFATAL\0C08001\0Mthe relay could not log in\0\0");
const UNEXPECTED = "ERR_POSTGRES_UNEXPECTED_MESSAGE";
/** Kinds of the authentication message `R`. */
const AUTHENTICATION = { ok: 0, sasl: 10, challenge: 11, last: 12 } as const;

/**
 * Connects one client connection of `Bun.SQL` to the server. Resolves to true when the server accepted or refused the login:
 * `Bun.SQL` then knows more than the relay. Rejects with a readable error when the relay aborts the login. A cancel request needs
 * no login; when it fails, that says nothing about the connection to cancel.
 */
async function serve(client: Socket, to: Unverified, opened: (socket: Socket) => Socket): Promise<boolean> {
  const startup = await takeStartup(client);
  if (startup.readInt32BE(4) === CANCEL_REQUEST) {
    await passOn(startup, client, to, opened).catch(() => client.end());
    return false;
  }
  const server = await connectToServer(to, (socket) => {
    client.on("close", () => socket.destroy());
    return opened(socket);
  });
  server.on("close", () => client.end());
  server.write(startup);
  client.pipe(server);
  for (;;) {
    const next = await takeMessage(server);
    if (next.type === "E") {
      client.end(next.bytes);
      return true;
    }
    const isLoggedIn = endsLogin(next);
    client.write(next.bytes);
    if (isLoggedIn) break;
  }
  server.pipe(client);
  return true;
}

/** Tells whether a message of the server ends the login. Throws for one that asks for the password in any way but SCRAM's. */
function endsLogin({ type, body }: Message): boolean {
  if (type === "N") return false;
  if (type !== "R" || body.length < 4) throw errorWithCode(UNEXPECTED);
  const [kind, text] = [body.readInt32BE(0), body.toString("latin1", 4)];
  if (kind === AUTHENTICATION.ok) return true;
  const isScram =
    kind === AUTHENTICATION.last ||
    (kind === AUTHENTICATION.sasl && text.split("\0").includes(MECHANISM)) ||
    (kind === AUTHENTICATION.challenge && hasFairRounds(text));
  if (!isScram) throw errorWithCode(PASSWORD_ASKED);
  return false;
}

function hasFairRounds(challenge: string): boolean {
  const rounds = Number(/^r=[^,]+,s=[^,]+,i=(\d{1,9})$/.exec(challenge)?.[1]);
  return rounds >= LEAST_ROUNDS && rounds <= UNTRUSTED.loginRounds;
}

/** Forwards a cancel request. The server needs no login for it and sends no answer. */
async function passOn(request: Buffer, client: Socket, to: Unverified, opened: (socket: Socket) => Socket) {
  const server = await connectToServer(to, opened);
  server.on("close", () => client.end());
  server.resume().end(request);
}

/** Connects to the server, encrypted if requested. */
async function connectToServer({ place, isEncrypted }: Unverified, opened: (socket: Socket) => Socket) {
  const socket = opened(connect(place));
  await waitForEvent(socket, "connect", errorWithCode("ERR_POSTGRES_CONNECTION_REFUSED"));
  if (!isEncrypted) return socket;
  socket.write(SSL_REQUEST);
  const answer = (await take(socket, 1)).toString("latin1");
  if (answer === "N") throw errorWithCode("ERR_POSTGRES_TLS_NOT_AVAILABLE");
  // Bytes that arrived already were not sent within the encryption.
  if (answer !== "S" || socket.readableLength > 0) throw errorWithCode(UNEXPECTED);
  const secure = opened(encrypt({ socket, rejectUnauthorized: false }));
  await waitForEvent(secure, "secureConnect", errorWithCode(UNEXPECTED));
  return secure;
}

function waitForEvent(socket: Socket, event: string, failure: Error): Promise<void> {
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
  throw errorWithCode("ERR_POSTGRES_UNEXPECTED_MESSAGE");
}

/** Returns an error with a code that `errors.ts` explains. */
function errorWithCode(code: string): Error {
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
    if (data !== null || socket.readableEnded || socket.destroyed) throw errorWithCode(ENDED);
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
