import { FORGET } from "../../../constants.ts";
import { MementorError, problemOf, toMementorError } from "../../../errors.ts";
import type { Runtime } from "../../../runtime.ts";
import { findPassword, nameOf, parseTarget, withoutPassword } from "../../../store/postgres/client/target.ts";
import type { SqliteStore } from "../../../store/sqlite/sqlite.ts";
import { parseSyncState } from "../../../sync/backoff.ts";
import { findMemberProject } from "../../../sync/team/open.ts";
import { saveTeam, type TeamSettings } from "../../../sync/team/settings.ts";
import { withMemory } from "../../memory.ts";
import {
  lockedStep,
  memoryId,
  noteNextSync,
  openSince,
  requireTeam,
  surroundings,
  syncTeam,
} from "../../sync/team.ts";
import { askUser, canAsk, confirm, declined, unlessInterrupted } from "../../terminal/ask.ts";
import { printResult } from "../../terminal/view.ts";
import { passwordFor, teamProjectName } from "./administer.ts";
import {
  type JoinResult,
  renderJoined,
  renderLeaving,
  renderLeft,
  renderPasswordNotKept,
  renderSynced,
  renderSyncProblem,
  renderTeamStatus,
  type TeamStatus,
} from "./member-text.ts";
import type { TeamAction, TeamOptions } from "./options.ts";

/** Joins a team with the memory, and fetches what the team shares. Shares nothing. */
export const join: TeamAction = async ({ target, options }, given) => {
  memoryId(given);
  const url = await urlFrom(target, given);
  const isNew = given.memory.directory !== null && (await given.origin()) === "none";
  const runtime = await withMemory(given);
  const { host, paths } = runtime;
  const password = parseTarget(url).password ?? (await passwordToKeep(runtime, url, options));
  const settings: TeamSettings = {
    url: plainUrl(url),
    password,
    project: await teamProjectName(runtime, options),
    isInsecure: runtime.isInsecure,
  };
  const place = await findMemberProject(settings, surroundings(runtime));
  await using store = await runtime.openStore("create");
  const signal = host.interrupted();
  const locked = lockedStep(runtime, signal);
  const done = await locked(async () => {
    await store.team.join({ project: place.name, author: place.author });
    return true;
  });
  if (done === null) return 130;
  saveTeam(paths.configDir, memoryId(runtime), settings);
  const result = await trySync(store, settings, runtime, signal);
  const counts = await store.team.counts(openSince(runtime));
  const joined: JoinResult = {
    project: place.name,
    author: place.author,
    server: nameOf(parseTarget(settings.url)),
    pulled: result?.added ?? 0,
    shared: counts.shared,
    sharing: (await store.team.membership())?.sharing ?? null,
    isSynced: result !== null,
    isNew,
  };
  return printResult(runtime, options, joined, renderJoined);
};

/** Syncs the memory with its team; says why, and resolves to null, where that fails. */
export function trySync(store: SqliteStore, team: TeamSettings, runtime: Runtime, signal: AbortSignal) {
  return syncTeam(store, team, runtime, signal).catch((error: unknown) => {
    runtime.host.stderr.write(renderSyncProblem(error));
    return null;
  });
}

/**
 * Returns the server's URL: from the command line, where it must not contain a password, or from standard input or the
 * environment.
 */
async function urlFrom(target: string | undefined, { host }: Runtime): Promise<string> {
  if (target !== undefined && target !== "-") return withoutPassword(target);
  const url =
    target === "-" ? await unlessInterrupted(host, host.stdin.readLine()) : host.env.MEMENTOR_TEAM_URL;
  if (url) return url.trim();
  throw new MementorError("usage", "The URL of the team's server is missing.", {
    hint: 'Give it, or set MEMENTOR_TEAM_URL, or write "-" to have it read from standard input.',
  });
}

// Does not copy a password from the environment or a password file.
async function passwordToKeep(
  runtime: Runtime,
  url: string,
  options: { passwordStdin: boolean },
): Promise<string | null> {
  const { env, homeDir: home } = runtime.host;
  const target = parseTarget(url);
  const inFile = { ...env, MEMENTOR_TEAM_URL: undefined, PGPASSWORD: undefined };
  if (options.passwordStdin || (await findPassword(target, { env, home })) === null)
    return passwordFor(runtime, url, options);
  if ((await findPassword(target, { env: inFile, home })) === null)
    runtime.host.stderr.write(renderPasswordNotKept());
  return null;
}

/** Returns a URL without its password, but with its TLS parameters. */
function plainUrl(url: string): string {
  const target = parseTarget(url);
  const parameters = new URLSearchParams();
  if (target.sslMode !== null) parameters.set("sslmode", target.sslMode);
  if (target.sslRootCert !== null) parameters.set("sslrootcert", target.sslRootCert);
  const name = nameOf(target);
  if (parameters.size === 0) return name;
  return `${name}${name.includes("?") ? "&" : "?"}${parameters}`;
}

/** Leaves the team: removes what was pulled, and with `--erase` the user's own turns from the team. */
export const leave: TeamAction = async ({ options }, runtime) => {
  const { host, paths } = runtime;
  const team = await requireTeam(runtime);
  await using store = await runtime.openStore("readwrite");
  const before = await store.team.counts(openSince(runtime));
  const pulled = before.pulled.reduce((sum, { turns }) => sum + turns, 0);
  if (!options.json) host.stdout.write(renderLeaving({ ...before, project: team.project, pulled }));
  const erases = await erasing(before.shared, options, runtime);
  const hint = 'Add "--yes", and "--erase" to remove your own turns.';
  if (erases === null || (!options.yes && !(await confirm(host, "Leave the team?", hint))))
    return declined(host, "Nothing was changed.");
  const parting = { store, team, runtime, signal: host.interrupted() };
  if (erases) await eraseAll(parting);
  else if (before.removals > 0) await sendRemovals(parting, before.removals, options);
  const { shared, removals } = await store.team.counts(openSince(runtime));
  const removed = await lockedStep(
    runtime,
    parting.signal,
  )(async () => {
    const turns = await store.team.leave();
    const rewritten = await store.file.compact(FORGET.patienceMs);
    return { turns, rewritten };
  });
  if (removed === null) return declined(host, "Nothing was changed.");
  saveTeam(paths.configDir, memoryId(runtime), null);
  await noteNextSync(store, runtime);
  const left = {
    project: team.project,
    removed: removed.turns,
    rewritten: removed.rewritten,
    erased: erases,
    shared: shared + removals,
  };
  return printResult(runtime, options, left, renderLeft);
};

interface Parting {
  store: SqliteStore;
  team: TeamSettings;
  runtime: Runtime;
  signal: AbortSignal;
}

// Syncs before unsharing, to learn what the user's other devices have shared.
async function eraseAll({ store, team, runtime, signal }: Parting): Promise<void> {
  await syncTeam(store, team, runtime, signal);
  await lockedStep(runtime, signal)(() => store.team.unshareAll());
  await syncTeam(store, team, runtime, signal);
}

/**
 * Removes turns from the team that were unshared before. If the server cannot be reached, `--keep` leaves this to the next join.
 */
async function sendRemovals(
  { store, team, runtime, signal }: Parting,
  count: number,
  { keep }: TeamOptions,
): Promise<void> {
  try {
    await syncTeam(store, team, runtime, signal);
  } catch (error) {
    if (keep) return;
    const { code, message } = toMementorError(error);
    const what = count === 1 ? "a turn that you unshared is" : `${count} turns that you unshared are`;
    throw new MementorError(code, `${what} still with the team, and ${message}`, {
      hint: 'Leave later. Or leave now with "--keep": the next join of this memory removes them.',
      cause: error,
    });
  }
}

/** Tells whether the user's own turns go from the server too; null when the person quits. */
async function erasing(
  shared: number,
  { erase, keep, yes }: TeamOptions,
  { host }: Runtime,
): Promise<boolean | null> {
  if (erase && keep)
    throw new MementorError("usage", "--keep and --erase exclude each other.", {
      hint: "--keep leaves your turns with the team, --erase removes them.",
    });
  if (erase || keep || yes || shared === 0 || !canAsk(host)) return erase;
  const decision = await askUser(host, "Remove your own turns from the team, too?", "no");
  return decision === "quit" ? null : decision === "yes";
}

/** Maximum time for the server to report the quota, in ms. */
const PATIENCE_MS = 5_000;

/** Shows what is shared and what was pulled, and how the last sync went. */
export const status: TeamAction = async ({ options }, runtime) => {
  const { host } = runtime;
  const team = await requireTeam(runtime);
  await using store = await runtime.openStore("readonly");
  const membership = await store.team.membership();
  const place = await findMemberProject(team, surroundings(runtime), PATIENCE_MS).then(
    (quota) => ({ quota, problem: null }),
    (error: unknown) => ({ quota: null, problem: problemOf(error) }),
  );
  const shown: TeamStatus = {
    project: team.project,
    server: nameOf(parseTarget(team.url)),
    author: membership?.author ?? null,
    sharing: membership?.sharing ?? null,
    ...(await store.team.counts(openSince(runtime))),
    lastSync: parseSyncState(await store.team.lastSync()),
    ...place,
  };
  return printResult(runtime, options, shown, () => renderTeamStatus(shown, host.now()));
};

/** Syncs with the team now. */
export const sync: TeamAction = async ({ options }, runtime) => {
  const { host } = runtime;
  const team = await requireTeam(runtime);
  const signal = host.interrupted();
  await using store = await runtime.openStore("readwrite");
  const result = await syncTeam(store, team, runtime, signal);
  const locked = lockedStep(runtime, signal);
  if (await store.file.needsCompact()) await locked(() => store.file.compact(FORGET.patienceMs));
  const { waiting } = await store.team.counts(openSince(runtime));
  return printResult(runtime, options, { ...result, waiting }, () => renderSynced(result, waiting));
};
