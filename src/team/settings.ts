import { join } from "node:path";
import * as v from "valibot";
import { MementorError } from "../errors.ts";
import { ensurePrivateDir } from "../io/directory.ts";
import { withLock } from "../io/lock.ts";
import { readIfExists, statIfExists } from "../io/read.ts";
import { writeAtomic } from "../io/write.ts";
import { nameOf, parseTarget } from "../store/postgres/client/target.ts";

/** How long a change of the file waits for another change, ms. */
const LOCK_MS = 5_000;

const SettingsSchema = v.object({
  /** The URL of the server, without a password. */
  url: v.string(),
  /** The password, if the user wants it kept. */
  password: v.nullable(v.string()),
  /** The name of the project in the team's database. */
  project: v.string(),
  /** The user accepts connections to other machines without verified TLS. */
  isInsecure: v.boolean(),
});

const FileSchema = v.object({ version: v.literal(1), teams: v.record(v.string(), SettingsSchema) });

/** Which team a memory belongs to, and how its server is reached. */
export type TeamSettings = v.InferOutput<typeof SettingsSchema>;

/** The file with the teams of the user's memories. Only the user can read it, since it may hold passwords. */
export function teamsFile(configDir: string): string {
  return join(configDir, "teams.json");
}

/** Whether any memory of the user has a team. */
export function hasTeams(configDir: string): boolean {
  return statIfExists(teamsFile(configDir)) !== null;
}

/** Returns the team of a memory, by the memory's id; null without one. Throws `config_invalid` for a broken file. */
export function readTeam(configDir: string, memoryId: string): TeamSettings | null {
  return readAll(configDir)[memoryId] ?? null;
}

/**
 * Returns the password that any memory of the user keeps for the role, server and database of a URL; null when
 * there is none. Throws `config_invalid` for a broken file.
 */
export function storedPassword(configDir: string, url: string): string | null {
  const wanted = nameOf(parseTarget(url));
  const teams = Object.values(readAll(configDir));
  return teams.find((team) => nameOf(parseTarget(team.url)) === wanted)?.password ?? null;
}

/** Returns the URLs of the servers that the user joined. Throws `config_invalid` for a broken file. */
export function joinedServers(configDir: string): string[] {
  return Object.values(readAll(configDir)).map(({ url }) => url);
}

/** Stores the team of a memory; null removes it. Throws `config_invalid` when the file with teams cannot be read. */
export function saveTeam(configDir: string, memoryId: string, settings: TeamSettings | null): void {
  ensurePrivateDir(configDir);
  const file = teamsFile(configDir);
  withLock(`${file}.lock`, LOCK_MS, () => {
    const { [memoryId]: _, ...others } = readAll(configDir);
    const teams = settings === null ? others : { ...others, [memoryId]: settings };
    writeAtomic(file, `${JSON.stringify({ version: 1, teams }, null, 2)}\n`, { mode: 0o600, replace: true });
  });
}

function readAll(configDir: string): Record<string, TeamSettings> {
  const file = teamsFile(configDir);
  const text = readIfExists(file);
  if (text === null) return {};
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), FileSchema), text);
  if (parsed.success) return parsed.output.teams;
  throw new MementorError("config_invalid", `the file with your teams is broken: ${file}`, {
    hint: "Delete it, then run `mementor team join` again in each project.",
  });
}
