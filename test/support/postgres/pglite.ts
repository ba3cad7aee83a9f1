import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { devDependencies } from "../../../package.json";
import { ScramServer, SharedSession } from "./shared-session.ts";
import {
  CANCEL_REQUEST,
  fatal,
  GSS_REQUEST,
  message,
  SSL_REQUEST,
  takeMessages,
  takeStartup,
  welcome,
} from "./wire.ts";

/** A PostgreSQL with pgvector for tests, on a port of loopback. */
export interface TestServer extends AsyncDisposable {
  /** The URL of its superuser, without a password. */
  readonly url: string;
  readonly port: number;
  /** The URL of a role. */
  urlOf(role: string, password?: string): string;
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL in this process (PGlite, in memory): 0.7 s, or 3 s for the first start on a machine. Share one
 * in a test file.
 *
 * Any number of clients may connect, each as its role, with the role's password if it has one. They take turns by
 * transactions and keep no state between these, as behind a pooler. A transaction that is left open blocks the others.
 * It runs in this thread: a program that connects to it must be started asynchronously. It cannot cancel statements.
 */
export async function startPglite(prepared?: Prepared): Promise<TestServer> {
  return serving(await opened(await template(prepared)));
}

/** What a server holds when it starts: made once on a machine, under a name that says what it is. */
export interface Prepared {
  name: string;
  make: (server: TestServer) => Promise<void>;
}

function opened(template: string): Promise<PGlite> {
  return PGlite.create({ extensions: { vector }, loadDataDir: Bun.file(template) });
}

async function serving(db: PGlite): Promise<TestServer> {
  const session = new SharedSession(db);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    serve(socket, session);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const urlOf = (role: string, password?: string) =>
    `postgres://${encodeURIComponent(role)}${password === undefined ? "" : `:${encodeURIComponent(password)}`}@127.0.0.1:${port}/postgres`;
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => server.close(closed));
    if (!db.closed) await db.close();
  };
  return { url: urlOf("postgres"), port, urlOf, stop, [Symbol.asyncDispose]: stop };
}

/** The files of a database, made once on a machine: making them takes four times as long as loading them. */
async function template(prepared?: Prepared): Promise<string> {
  const name = ["mementor-test-pglite", devDependencies["@electric-sql/pglite"], prepared?.name];
  const path = join(tmpdir(), `${name.filter(Boolean).join("-")}.tar`);
  if (existsSync(path)) return path;
  const db = prepared ? await opened(await template()) : await PGlite.create({ extensions: { vector } });
  const server = await serving(db);
  await prepared?.make(server);
  const unfinished = `${path}.${process.pid}`;
  await Bun.write(unfinished, await db.dumpDataDir("none"));
  await server.stop();
  await rename(unfinished, path);
  return path;
}

function serve(socket: Socket, session: SharedSession): void {
  const client = new Client(socket, session);
  let last = Promise.resolve();
  socket.on("data", (data) => {
    last = last.then(() => client.take(Buffer.from(data))).catch(() => void socket.destroy());
  });
  socket.on("error", () => socket.destroy());
  socket.on("close", () => session.leave(client));
}

/** One connection: the login, then messages until each `Sync`. */
class Client {
  readonly #socket: Socket;
  readonly #session: SharedSession;
  #pending: Buffer = Buffer.alloc(0);
  #role: string | null = null;
  /** The login by password that goes on. */
  #scram: { server: ScramServer; isChallenged: boolean } | null = null;

  constructor(socket: Socket, session: SharedSession) {
    this.#socket = socket;
    this.#session = session;
  }

  async take(data: Buffer): Promise<void> {
    this.#pending = Buffer.concat([this.#pending, data]);
    while (this.#role === null) if (!(await this.#login())) return;
    const { messages, rest } = takeMessages(this.#pending);
    const end = messages.findLastIndex(({ type }) => "SQHX".includes(type)) + 1;
    if (end === 0) return;
    this.#pending = Buffer.concat([...messages.slice(end).map(({ bytes }) => bytes), rest]);
    const batch = messages.slice(0, end);
    if (batch.some(({ type }) => type === "p")) return this.#refuse("08P01", "unexpected message");
    const run = batch.filter(({ type }) => type !== "X").map(({ bytes }) => bytes);
    if (run.length > 0) this.#socket.write(await this.#session.run(this, this.#role, Buffer.concat(run)));
    if (run.length < batch.length) this.#socket.end();
  }

  /** Takes one packet of the login; false when more must come first. */
  async #login(): Promise<boolean> {
    if (this.#scram !== null) return this.#checkPassword(this.#scram);
    const startup = takeStartup(this.#pending);
    if (startup === null) return false;
    this.#pending = startup.rest;
    if (startup.code === SSL_REQUEST || startup.code === GSS_REQUEST) this.#socket.write("N");
    else if (startup.code === CANCEL_REQUEST) this.#socket.end();
    else await this.#welcome(startup.parameters.get("user") ?? "");
    return this.#pending.length > 0;
  }

  async #welcome(role: string): Promise<void> {
    await this.#session.idle();
    const verifier = this.#session.passwordOf(role);
    if (verifier === undefined) return this.#refuse("28000", `role "${role}" is not permitted to log in`);
    this.#waitingRole = role;
    if (verifier === null) return this.#accept();
    this.#scram = { server: new ScramServer(verifier), isChallenged: false };
    this.#socket.write(message("R", 10, "SCRAM-SHA-256", Buffer.alloc(1)));
  }

  #waitingRole = "";

  #checkPassword(scram: { server: ScramServer; isChallenged: boolean }): boolean {
    const { messages, rest } = takeMessages(this.#pending);
    const [said] = messages;
    if (said === undefined) return false;
    this.#pending = Buffer.concat([...messages.slice(1).map(({ bytes }) => bytes), rest]);
    if (!scram.isChallenged) {
      scram.isChallenged = true;
      // The name of the mechanism and the length of what follows stand before it.
      const first = said.body.subarray("SCRAM-SHA-256".length + 5).toString();
      this.#socket.write(message("R", 11, Buffer.from(scram.server.challenge(first))));
      return this.#pending.length > 0;
    }
    const proof = scram.server.answer(said.body.toString());
    if (said.type === "p" && proof !== null) {
      this.#socket.write(message("R", 12, Buffer.from(proof)));
      this.#accept();
    } else this.#refuse("28P01", `password authentication failed for user "${this.#waitingRole}"`);
    return this.#role !== null;
  }

  #accept(): void {
    this.#role = this.#waitingRole;
    this.#socket.write(welcome("18.0"));
  }

  #refuse(sqlState: string, text: string): void {
    this.#pending = Buffer.alloc(0);
    this.#socket.end(fatal(sqlState, text));
  }
}
