import { lookup } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP, isIPv4, isIPv6 } from "node:net";
import { getCACertificates } from "node:tls";
import { SQL } from "bun";
import { MementorError } from "../../../errors.ts";
import { type Database, databaseOf } from "./database.ts";
import { type ServerAddress, startRelay } from "./relay.ts";
import { findPassword, nameOf, type PasswordSources, parseTarget, type Target } from "./target.ts";

export interface ConnectOptions extends PasswordSources {
  /** True when the user accepts less than verified TLS beyond loopback. */
  readonly isInsecure?: boolean;
  readonly connectTimeoutMs?: number | undefined;
  /** Resolves `localhost`; the system's resolver by default. */
  readonly resolve?: Resolve;
}

/**
 * Prepares connections to the database of a URL. Sends nothing before the first transaction. Throws `usage`, `config_invalid` or
 * `server_untrusted` for an unusable URL, certificate or password file.
 */
export async function connect(url: string, options: ConnectOptions): Promise<Database> {
  const target = parseTarget(url);
  const tls = await encryptionFor(target, {
    isLoopback: await isLoopback(target.host, options.resolve),
    isInsecure: options.isInsecure ?? false,
    env: options.env,
  });
  const password = await findPassword(target, options);
  const place: ServerAddress = target.host.startsWith("/")
    ? { path: `${target.host}/.s.PGSQL.${target.port}` }
    : { host: target.host, port: target.port };
  const pool = (at: ServerAddress, secret: string, encryption: Encryption) =>
    new SQL({
      adapter: "postgres",
      // Without a URL, `Bun.SQL` reads `DATABASE_URL` and similar variables: their socket without TLS, password and parameters.
      url: "postgres://",
      ...("path" in at ? at : { hostname: at.host, port: at.port }),
      username: target.user,
      password: secret,
      database: target.database,
      tls: encryption,
      max: 1,
      connectionTimeout: (options.connectTimeoutMs ?? 10_000) / 1000,
      idleTimeout: 30,
      // A pooler in transaction mode may give the next statement to a session that did not prepare it.
      prepare: false,
      bigint: true,
      connection: { application_name: "mementor" },
    });
  const direct = async () => {
    const sql = pool(place, password ?? "", tls);
    return { sql, failure: () => null, close: () => sql.close({ timeout: 0 }) };
  };
  const relayed = async (secret: string) => {
    const relay = await startRelay({ place, isEncrypted: tls !== false });
    // PostgreSQL stores passwords in one normalised form (RFC 4013).
    const sql = pool(relay.place, secret.normalize("NFKC"), false);
    const close = async () => {
      await sql.close({ timeout: 0 });
      relay.close();
    };
    return { sql, failure: () => relay.failure, close };
  };
  const isVerified = tls !== false && tls.rejectUnauthorized;
  const open = password === null || isVerified ? direct : () => relayed(password);
  const database = databaseOf({ ...target, password: null }, open);
  return password === null ? sayingSo(database) : database;
}

/** Adds to a refused login that no password was found. */
function sayingSo(database: Database): Database {
  return {
    ...database,
    transaction: (work, options) =>
      database.transaction(work, options).catch((error: unknown) => {
        if (!(error instanceof MementorError) || error.code !== "server_login") throw error;
        throw new MementorError(
          "server_login",
          `the server refused the login, and no password was found: ${nameOf(database.target)}`,
          {
            hint: "Set PGPASSWORD, write it into ~/.pgpass, or keep it: `mementor team join` with --password-stdin.",
            cause: error,
          },
        );
      }),
  };
}

/** Resolves a host name to its addresses. */
type Resolve = (host: string) => Promise<readonly string[]>;

/** Resolves a host name with the system's resolver; returns no address for an unknown name. */
async function systemAddresses(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

/**
 * Tells whether traffic to a host stays on this machine: a socket's directory, 127.0.0.0/8, ::1, and `localhost` if it resolves
 * only to these. Every other name counts as remote, whatever it resolves to at the moment.
 */
export async function isLoopback(host: string, resolve: Resolve = systemAddresses): Promise<boolean> {
  if (host.startsWith("/")) return true;
  if (host.toLowerCase() !== "localhost") return isLoopbackAddress(host);
  const addresses = await resolve(host);
  return addresses.length > 0 && addresses.every(isLoopbackAddress);
}

function isLoopbackAddress(address: string): boolean {
  return (
    (isIPv4(address) && address.startsWith("127.")) || (isIPv6(address) && /^(?:0*:)*:?0*1$/.test(address))
  );
}

/** The `tls` option of `Bun.SQL`. */
type Encryption = false | { rejectUnauthorized: boolean; ca?: string[]; serverName?: string };

interface EncryptionOptions {
  /** True when the traffic stays on this machine. */
  readonly isLoopback: boolean;
  /** True when the user accepts less than verified TLS beyond loopback. */
  readonly isInsecure: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Chooses the encryption of a connection. Beyond loopback, requires TLS with a verified certificate and host name, even where the
 * URL asks for less: `Bun.SQL` itself accepts any certificate for `require`, and plain text without `sslmode`. Throws
 * `server_untrusted` for `sslmode=disable`, and `config_invalid` for unreadable certificates.
 */
async function encryptionFor(target: Target, options: EncryptionOptions): Promise<Encryption> {
  const { isLoopback, isInsecure } = options;
  const mode = target.sslMode;
  if (isLoopback && (mode === null || mode === "disable" || mode === "allow" || mode === "prefer"))
    return false;
  if (mode === "disable") {
    if (isInsecure) return false;
    throw new MementorError(
      "server_untrusted",
      `sslmode=disable would send everything in plain text to ${nameOf(target)}`,
      {
        hint: "Remove sslmode from the URL. Only in a network that you fully trust: add --insecure.",
      },
    );
  }
  if (isInsecure || (isLoopback && mode === "require")) return { rejectUnauthorized: false };
  const serverName =
    isIP(target.host) === 0 && !target.host.startsWith("/") ? { serverName: target.host } : {};
  return { rejectUnauthorized: true, ca: await certificates(target, options.env), ...serverName };
}

/** Returns the certificates to trust: only those of the named file or, without one, those of Bun and the system. */
async function certificates(target: Target, env: EncryptionOptions["env"]): Promise<string[]> {
  const path = target.sslRootCert ?? env.PGSSLROOTCERT;
  if (path === undefined || path === "" || path === "system")
    return [...new Set([...getCACertificates("default"), ...getCACertificates("system")])];
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new MementorError("config_invalid", `the certificates of sslrootcert cannot be read: ${path}`, {
      hint: "Check the path in the URL's sslrootcert or in PGSSLROOTCERT.",
      cause,
    });
  });
  const found = text.match(/-----BEGIN CERTIFICATE-----(?:(?!-----BEGIN)[\s\S])+?-----END CERTIFICATE-----/g);
  if (found !== null) return found;
  throw new MementorError("config_invalid", `${path} contains no certificate`, {
    hint: "sslrootcert must name a PEM file with the authority's certificate.",
  });
}
