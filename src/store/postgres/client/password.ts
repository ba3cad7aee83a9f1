import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { MementorError } from "../../../errors.ts";
import { parseTarget, type Target } from "./target.ts";

/** The places of a password beside the URL. */
export interface PasswordSources {
  /** The environment: `MEMENTOR_TEAM_URL`, `PGPASSWORD`, `PGPASSFILE`, `APPDATA`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home directory. */
  readonly home: string;
  /** The password in the user's configuration. */
  readonly configured?: string | null;
}

/**
 * Finds the password for a target: in its URL, `MEMENTOR_TEAM_URL` (when it names the same user and database), the user's
 * configuration, `PGPASSWORD`, which may be that of the project's own database, the password file. Null when none has one. Throws `config_invalid` for a password file that
 * others can read.
 */
export async function findPassword(target: Target, sources: PasswordSources): Promise<string | null> {
  const { env, configured } = sources;
  return (
    target.password ??
    fromTeamUrl(target, env.MEMENTOR_TEAM_URL) ??
    configured ??
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
  return passwordIn(await readFile(path, "utf8"), target);
}

function defaultFile(env: PasswordSources["env"], home: string): string {
  return process.platform === "win32"
    ? join(env.APPDATA ?? home, "postgresql", "pgpass.conf")
    : join(home, ".pgpass");
}

/** The password of the first line `host:port:database:user:password` that fits; `*` fits all, `\` hides `:` and `\`. */
export function passwordIn(file: string, target: Target): string | null {
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
