import { readFile, stat } from "node:fs/promises";
import { isIPv6 } from "node:net";
import { join } from "node:path";
import * as v from "valibot";
import { MementorError } from "../../../errors.ts";

/** A database on a server, parsed from a URL. */
export interface Target {
  /** A host name, an address without brackets, or the directory of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** The password in the URL only; see `findPassword` for other sources. */
  readonly password: string | null;
  readonly sslMode: SslMode | null;
  /** The file with the certificates to trust, or `system`. */
  readonly sslRootCert: string | null;
}

type SslMode = v.InferOutput<typeof SSL_MODE>;

const SSL_MODE = v.picklist(
  ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"],
  "sslmode is not one that PostgreSQL knows",
);

const PARTS = v.object({
  host: v.pipe(
    v.string(),
    v.nonEmpty("it has no host"),
    v.regex(/^[^,]*$/, "it names several hosts, and mementor connects to one"),
  ),
  port: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(1, "the port is not valid"),
    v.maxValue(65_535, "the port is not valid"),
  ),
  user: v.pipe(v.string(), v.nonEmpty("it has no user")),
  database: v.pipe(v.string(), v.nonEmpty("it has no database")),
  password: v.nullable(v.string()),
  sslMode: v.nullable(SSL_MODE),
  sslRootCert: v.nullable(v.string()),
});

/**
 * Parses the URL of a server: `postgres://user@host:port/database`, with `host` (a socket's directory), `user`, `password`,
 * `sslmode` and `sslrootcert` also as parameters. Ignores other parameters. Throws `usage` with a message that never contains a
 * password.
 */
export function parseTarget(url: string): Target {
  const match = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/i.exec(
    url.trim(),
  );
  if (match === null) throw invalid(url, "it is not postgres://user@host/database");
  const [, login = "", place = "", path = "", query = ""] = match;
  const parameters = new URLSearchParams(query);
  const { host, port } = hostAndPort(place);
  const colon = login.indexOf(":");
  const parts = v.safeParse(PARTS, {
    host: parameters.get("host") ?? decoded(host),
    port: Number(parameters.get("port") ?? port),
    user: parameters.get("user") ?? decoded(colon < 0 ? login : login.slice(0, colon)),
    database: parameters.get("dbname") ?? decoded(path),
    password: parameters.get("password") ?? (colon < 0 ? null : decoded(login.slice(colon + 1))),
    sslMode: parameters.get("sslmode"),
    sslRootCert: parameters.get("sslrootcert"),
  });
  if (!parts.success) throw invalid(url, parts.issues[0].message);
  return parts.output;
}

/** Returns the name of a target in messages, without password and parameters. */
export function nameOf({ user, host, port, database }: Target): string {
  if (host.startsWith("/")) return `postgres://${encodeURIComponent(user)}@/${database}?host=${host}`;
  const place = isIPv6(host) ? `[${host}]` : host;
  return `postgres://${encodeURIComponent(user)}@${place}${port === 5432 ? "" : `:${port}`}/${database}`;
}

function hostAndPort(place: string): { host: string; port: string } {
  const [, bracketed, plain = "", port = "5432"] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d*))?$/.exec(place) ?? [];
  return { host: bracketed ?? plain, port: port || "5432" };
}

/** Decodes percent-encoding. Returns malformed text unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function invalid(url: string, why: string): MementorError {
  return new MementorError("usage", `the URL of the server cannot be used: ${why}: ${redactUrl(url)}`, {
    hint: "Write it as postgres://user@host:5432/database, with characters such as @ and / in names encoded (%40, %2F).",
  });
}

/** Removes the password and the parameters from every PostgreSQL URL in a text, for messages and logs. */
export function redactUrl(text: string): string {
  return text.replace(URLS, (_, scheme: string, rest: string) => {
    const at = rest.lastIndexOf("@");
    const login = rest.slice(0, Math.max(at, 0));
    const user = login.replace(/[:/?#].*$/s, "");
    // This `?` may belong to a password, or to parameters with one, so the rest is dropped.
    const place = /[?#]/.test(login) ? "…" : (PLACE.exec(rest.slice(at + 1))?.[0] ?? "");
    return `${scheme}${at < 0 ? "" : `${user}@`}${place}`;
  });
}

/** A password may contain any character except spaces and quotes, even an unencoded `/`, `?` or `@`. */
const URLS = /\b(postgres(?:ql)?:\/\/)([^\s"'`<>]+)/gi;

/** Host, port and database. A port that is not a number may be a password. */
const PLACE = /^(?:\[[^\]]*\]|[^:/?#]*)(?::\d*(?=[/?#]|$))?(?:\/[^?#]*)?/;

/** Returns a typed URL. Throws `usage` when it contains a password, because other programs can read command lines. */
export function withoutPassword(url: string): string {
  const target = parseTarget(url);
  if (target.password === null) return url;
  throw new MementorError("usage", "A password on the command line can be read by others on this machine.", {
    hint: `Use ${nameOf(target)}, and give the password in PGPASSWORD, ~/.pgpass or MEMENTOR_TEAM_URL, or when "mementor team" asks for it.`,
  });
}

/** The sources of a password besides the URL. */
export interface PasswordSources {
  /** The environment: `MEMENTOR_TEAM_URL`, `PGPASSWORD`, `PGPASSFILE`, `APPDATA`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home directory. */
  readonly home: string;
  /** The password in the user's configuration. */
  readonly configured?: string | null;
}

/**
 * Finds the password of a target: in its URL, the user's configuration, or, as a project may set these, in `MEMENTOR_TEAM_URL` (if
 * it names the same user and database) and `PGPASSWORD`; then in the password file. Null when none has it.
 * Throws `config_invalid` for a password file that others can read.
 */
export async function findPassword(target: Target, sources: PasswordSources): Promise<string | null> {
  const { env, configured } = sources;
  return (
    target.password ??
    configured ??
    fromTeamUrl(target, env.MEMENTOR_TEAM_URL) ??
    (env.PGPASSWORD || null) ??
    (await fromPasswordFile(target, sources))
  );
}

function fromTeamUrl(target: Target, url: string | undefined): string | null {
  if (url === undefined || url === "") return null;
  const other = parseTarget(url);
  const isSame =
    other.host === target.host &&
    other.port === target.port &&
    other.user === target.user &&
    other.database === target.database;
  return isSame ? other.password : null;
}

async function fromPasswordFile(target: Target, { env, home }: PasswordSources): Promise<string | null> {
  const path = env.PGPASSFILE || defaultFile(env, home);
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile()) return null;
  if (process.platform !== "win32" && (found.mode & 0o077) !== 0)
    throw new MementorError("config_invalid", `other users can read the password file ${path}`, {
      hint: `Run: chmod 600 ${path}`,
    });
  return readPassword(await readFile(path, "utf8"), target);
}

function defaultFile(env: PasswordSources["env"], home: string): string {
  return process.platform === "win32"
    ? join(env.APPDATA ?? home, "postgresql", "pgpass.conf")
    : join(home, ".pgpass");
}

/**
 * Returns the password of the first matching line `host:port:database:user:password`. `*` matches anything; `\\` escapes `:` and
 * `\\`.
 */
export function readPassword(file: string, target: Target): string | null {
  const host = target.host.startsWith("/") ? ["localhost", target.host] : [target.host];
  const wanted = [host, [`${target.port}`], [target.database], [target.user]];
  for (const line of file.split(/\r?\n/)) {
    if (line.startsWith("#")) continue;
    const values = fieldsOf(line);
    const fits =
      values.length >= 5 && wanted.every((names, i) => values[i] === "*" || names.includes(values[i] ?? ""));
    if (fits) return values[4] ?? null;
  }
  return null;
}

function fieldsOf(line: string): string[] {
  const fields = [""];
  for (const [piece] of line.matchAll(/\\.|[^\\]/gs)) {
    if (piece === ":") fields.push("");
    else fields.push(`${fields.pop()}${piece.length === 2 ? piece.slice(1) : piece}`);
  }
  return fields;
}
