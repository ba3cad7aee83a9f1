import { join } from "node:path";
import * as v from "valibot";
import { MementorError } from "../../errors.ts";
import { withLock } from "../../io/lock.ts";
import { readIfExists, statIfExists } from "../../io/read.ts";
import { ensurePrivateDir, writeAtomic } from "../../io/write.ts";
import { nameOf, parseTarget } from "../../store/postgres/client/target.ts";
import type { Exclusions, Sharing, SharingDecision, TeamStore } from "../../store/team.ts";

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
function teamsFile(configDir: string): string {
  return join(configDir, "teams.json");
}

/** Tells whether any memory of the user has a team. */
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
function joinedServers(configDir: string): string[] {
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

const AdminServer = v.object({
  /** Without a password. */
  url: v.string(),
  /** True if the user accepted a connection without verified TLS. */
  insecure: v.boolean(),
});

/** The server that the user set up, for the commands that manage it. */
export type AdminServer = v.InferOutput<typeof AdminServer>;

const FILE = "team-server.json";

/** Returns the server of the last `team init` from this machine; null when there is none, or the file is broken. */
export function readAdminServer(configDir: string): AdminServer | null {
  const text = readIfExists(join(configDir, FILE));
  if (text === null) return null;
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), AdminServer), text);
  return parsed.success ? parsed.output : null;
}

export function writeAdminServer(configDir: string, server: AdminServer): void {
  ensurePrivateDir(configDir);
  writeAtomic(join(configDir, FILE), `${JSON.stringify(server, null, 2)}\n`, { mode: 0o600, replace: true });
}

/** The places where a user names servers. */
interface KnownServers {
  configDir: string;
  /** The setting `team.servers`: hosts, hosts with ports, or URLs. */
  servers: readonly string[];
}

/**
 * Throws `usage` for the URL of a server that the user neither joined nor named: whoever can suggest a command line
 * could otherwise let any server ask for the user's passwords. Variables do not count, since a repository can set them
 * for an agent.
 */
export function requireKnownServer(url: string, { configDir, servers }: KnownServers): void {
  const target = parseTarget(url);
  const admin = readAdminServer(configDir)?.url;
  const urls = [...joinedServers(configDir), ...(admin === undefined ? [] : [admin])];
  const known = [...urls.map(placeIn), ...servers.map(placeIn)];
  if (known.includes(placeOf(target))) return;
  throw new MementorError("usage", `You have neither joined nor named this server: ${nameOf(target)}`, {
    hint: `To name it as yours: mementor config set --user team.servers ${placeOf(target)}`,
  });
}

const DEFAULT_PORT = 5432;

/** One spelling of the place in a URL, or in `host`, `host:port`. */
function placeIn(typed: string): string {
  const text = typed.trim();
  if (/^postgres(?:ql)?:/i.test(text)) return placeOf(parseTarget(text));
  const [, host = "", port = DEFAULT_PORT] = /^(.*?)(?::(\d+))?$/s.exec(text) ?? [];
  return placeOf({ host: host.replace(/^\[(.*)\]$/, "$1"), port: Number(port) });
}

function placeOf({ host, port }: { host: string; port: number }): string {
  const name = host.includes(":")
    ? `[${host.toLowerCase()}]`
    : host.startsWith("/")
      ? host
      : host.toLowerCase();
  return `${name}:${port}`;
}

/** Returns the words with which a command line names a project of a team's database. */
export function serverWords(
  server: Pick<TeamSettings, "url" | "isInsecure">,
  project: string | null,
): string[] {
  return [
    ...["--db", server.url],
    ...(project === null ? [] : ["--project", project]),
    ...(server.isInsecure ? ["--insecure"] : []),
  ];
}

/** What is shared unless the user says otherwise: all turns of main conversations. */
export const ALL_TURNS: Sharing = { since: null, branches: [], onlyMarked: false, subagents: false };

/** The options that choose what is shared; absent where they are not given. */
interface SharingOptions {
  /** ISO 8601. */
  since: string | null;
  /** Globs, separated by commas. */
  branch: string | undefined;
  onlyMarked: boolean;
  subagents: boolean;
}

/** Returns the rules that the options name; those in force when there are no options. */
export function chooseSharing(options: SharingOptions, inForce: Sharing | null): Sharing {
  const { since, branch, onlyMarked, subagents } = options;
  const isGiven = since !== null || branch !== undefined || onlyMarked || subagents;
  if (!isGiven) return inForce ?? ALL_TURNS;
  const branches = (branch ?? "").split(",").map((glob) => glob.trim());
  return { since, branches: branches.filter((glob) => glob !== ""), onlyMarked, subagents };
}

/** Turns that are looked at in one step. */
const STEP = 500;

/** What becomes of one's own turns under some rules. */
export interface SharingPreview {
  /** Turns that would leave, or have left, in order of id. */
  leaving: number[];
  /** How many of those are with the team already. */
  shared: number;
  /** How many turns stay here, by reason. */
  staying: Partial<Record<SharingDecision, number>>;
}

/** Looks at all turns of the memory; changes nothing. */
export async function previewSharing(
  store: Pick<TeamStore, "fates">,
  sharing: Sharing,
  exclusions: Exclusions,
): Promise<SharingPreview> {
  const preview: SharingPreview = { leaving: [], shared: 0, staying: {} };
  for (let after = 0; ; ) {
    const fates = await store.fates(sharing, exclusions, after, STEP);
    for (const { turnId, fate } of fates) {
      if (fate === "shared") preview.shared++;
      if (fate === "shared" || fate === "wanted") preview.leaving.push(turnId);
      else preview.staying[fate] = (preview.staying[fate] ?? 0) + 1;
    }
    const last = fates.at(-1);
    if (last === undefined) return preview;
    after = last.turnId;
  }
}
