import { cp, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { until } from "../wait.ts";
import type { TestServer } from "./pglite.ts";
import { postgresPrograms } from "./wheel.ts";

/** A real PostgreSQL with pgvector. One that `MEMENTOR_TEST_POSTGRES` names has no `control`. */
export interface RealServer extends TestServer {
  readonly control: Control | null;
}

/** What can be done to a server that the test started. */
export interface Control {
  /** Stops the server: `fast` ends transactions in order, `immediate` is a crash. Its port and data stay. */
  halt(how: "fast" | "immediate"): Promise<void>;
  /** Starts a server that was stopped, with its former settings. */
  start(): Promise<void>;
  /** Stops the server, copies its data, and starts it again. */
  backUp(): Promise<Backup>;
  /** Stops the server and starts it with the data of a backup. */
  restore(backup: Backup): Promise<void>;
}

/** A directory with the data of a server that was stopped. */
export interface Backup {
  readonly directory: string;
}

/** For speed: a crash of the server alone loses nothing then, only a crash of the machine. */
const SETTINGS: Readonly<Record<string, string>> = { fsync: "off", max_connections: "200" };

const PASSWORD = "of the superuser";

/**
 * Gives a server of its own to a test, or a sentence that says why there is none. A server that `MEMENTOR_TEST_POSTGRES`
 * names is used with a new database, dropped at `stop`; its roles are shared, so tests give theirs names that are unique.
 * Otherwise starts the PostgreSQL of a package for Python, with password logins on TCP. Takes about 2 s.
 *
 * @param settings of the server (`postgres -c`); not for a server that was named.
 */
export async function startRealServer(settings: Record<string, string> = {}): Promise<RealServer | string> {
  const named = process.env.MEMENTOR_TEST_POSTGRES;
  if (named !== undefined && named !== "") return databaseOf(named);
  const programs = await postgresPrograms();
  if (typeof programs === "string") return programs;
  return startCluster(programs.bin, { ...SETTINGS, ...settings });
}

async function databaseOf(named: string): Promise<RealServer> {
  const name = `mementor_test_${process.pid}_${Bun.hash(crypto.randomUUID()).toString(36)}`;
  await execute(named, `CREATE DATABASE ${name}`);
  const url = new URL(named);
  url.pathname = `/${name}`;
  const urlOf = (role: string, password = "") => {
    const other = new URL(url);
    other.username = encodeURIComponent(role);
    other.password = encodeURIComponent(password);
    return other.href;
  };
  const stop = () => execute(named, `DROP DATABASE ${name} WITH (FORCE)`);
  const port = Number(url.port || 5432);
  return { url: url.href, port, urlOf, stop, control: null, [Symbol.asyncDispose]: stop };
}

async function execute(url: string, sql: string): Promise<void> {
  await using connection = new SQL(url, { max: 1, prepare: false });
  await connection.unsafe(sql);
}

async function startCluster(bin: string, settings: Record<string, string>): Promise<RealServer> {
  const folder = await mkdtemp(join(tmpdir(), "mementor-pg-"));
  const data = join(folder, "data");
  const asUser = await userFor(folder);
  await Bun.write(join(folder, "password"), PASSWORD);
  await Bun.$`${asUser} ${join(bin, "initdb")} -D ${data} -U postgres --pwfile ${join(folder, "password")} --auth-host=scram-sha-256 --auth-local=trust --encoding UTF8 --locale C --no-sync`.quiet();
  const port = await freePort();
  const urlOf = (role: string, password?: string) =>
    `postgres://${encodeURIComponent(role)}${password === undefined ? "" : `:${encodeURIComponent(password)}`}@127.0.0.1:${port}/postgres`;
  const url = urlOf("postgres", PASSWORD);
  const all = {
    ...settings,
    port: `${port}`,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: folder,
  };
  const options = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);

  const start = async () => {
    const server = Bun.spawn([...asUser, join(bin, "postgres"), "-D", data, ...options], {
      stdio: ["ignore", "ignore", Bun.file(join(folder, "log"))],
    });
    server.unref();
    await until("the server answers", async () => {
      if (server.exitCode !== null) throw new Error(await Bun.file(join(folder, "log")).text());
      return execute(url, "SELECT 1").then(
        () => true,
        () => false,
      );
    });
  };
  const halt = async (how: "fast" | "immediate") => {
    await Bun.$`${asUser} ${join(bin, "pg_ctl")} -D ${data} -m ${how} -w stop`.quiet().nothrow();
  };
  const backUp = async () => {
    await halt("fast");
    const directory = await mkdtemp(join(folder, "backup-"));
    await copy(data, directory);
    await start();
    return { directory };
  };
  const restore = async ({ directory }: Backup) => {
    await halt("fast");
    await copy(directory, data);
    await start();
  };
  const stop = async () => {
    await halt("immediate");
    await rm(folder, { recursive: true, force: true });
  };
  await start();
  return { url, port, urlOf, stop, control: { halt, start, backUp, restore }, [Symbol.asyncDispose]: stop };
}

/** Copies all files of a directory with their owners, in place of what the other one held. */
async function copy(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  if (process.getuid?.() === 0) await Bun.$`cp -a ${from} ${to}`.quiet();
  else await cp(from, to, { recursive: true, preserveTimestamps: true });
}

/**
 * The command that runs a program as a user who may run PostgreSQL, which refuses root. `setpriv` also ends the server
 * with this process.
 */
async function userFor(folder: string): Promise<string[]> {
  const setpriv = Bun.which("setpriv");
  const follow = setpriv === null ? [] : [setpriv, "--pdeathsig", "INT"];
  if (process.getuid?.() !== 0) return follow;
  await Bun.$`chown 65534:65534 ${folder}`.quiet();
  if (setpriv !== null) return [...follow, "--reuid", "65534", "--regid", "65534", "--clear-groups"];
  return ["su", "nobody", "-s", "/bin/sh", "-c", 'exec "$0" "$@"', "--"];
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((listening) => probe.listen(0, "127.0.0.1", listening));
  const address = probe.address();
  await new Promise((closed) => probe.close(closed));
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return address.port;
}
