import { SQL } from "bun";
import { MementorError } from "../../../errors.ts";
import { type Database, databaseOf } from "./database.ts";
import { type Encryption, encryptionFor } from "./encryption.ts";
import { isLoopback, type Resolve } from "./loopback.ts";
import { findPassword, type PasswordSources } from "./password.ts";
import { type Place, startRelay } from "./relay.ts";
import { nameOf, parseTarget } from "./target.ts";

export interface ConnectOptions extends PasswordSources {
  /** The user accepts less than verified TLS beyond loopback. */
  readonly isInsecure?: boolean;
  readonly connectTimeoutMs?: number | undefined;
  /** Gives the addresses of `localhost`; the system's unless it is given. */
  readonly resolve?: Resolve;
}

/**
 * Prepares connections to the database that a URL names. Nothing is sent before the first transaction.
 * Throws `usage`, `config_invalid` or `server_untrusted` when the URL, the certificates or the password file will not do.
 */
export async function connect(url: string, options: ConnectOptions): Promise<Database> {
  const target = parseTarget(url);
  const tls = await encryptionFor(target, {
    isLoopback: await isLoopback(target.host, options.resolve),
    isInsecure: options.isInsecure ?? false,
    env: options.env,
  });
  const password = await findPassword(target, options);
  const place: Place = target.host.startsWith("/")
    ? { path: `${target.host}/.s.PGSQL.${target.port}` }
    : { host: target.host, port: target.port };
  const pool = (at: Place, secret: string, encryption: Encryption) =>
    new SQL({
      adapter: "postgres",
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
    const relay = await startRelay({ place, password: secret, isEncrypted: tls !== false });
    const sql = pool({ host: "127.0.0.1", port: relay.port }, relay.word, false);
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

/** Says of a login that was refused that no password was found. */
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
