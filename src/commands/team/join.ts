import { MementorError } from "../../errors.ts";
import { renderResult } from "../../render/result.ts";
import {
  type Joined,
  renderJoined,
  renderPasswordNotKept,
  renderSyncProblem,
} from "../../render/team/member.ts";
import type { Runtime } from "../../runtime.ts";
import { findPassword } from "../../store/postgres/client/password.ts";
import { nameOf, parseTarget } from "../../store/postgres/client/target.ts";
import { findMemberProject } from "../../team/open.ts";
import { saveTeam, type TeamSettings } from "../../team/settings.ts";
import { unlessInterrupted } from "../shared/interrupted.ts";
import { lockedStep, memoryId, openSince, surroundings, syncTeam } from "../shared/team.ts";
import { withMemory } from "../shared/with-memory.ts";
import type { TeamAction } from "./options.ts";
import { passwordFor, withoutPassword } from "./password.ts";
import { teamProjectName } from "./project.ts";

/** Makes the memory that of a member, and fetches what the team shares. Shares nothing. */
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
  const result = await syncTeam(store, settings, runtime, signal).catch((error: unknown) => {
    host.stderr.write(renderSyncProblem(error));
    return null;
  });
  const counts = await store.team.counts(openSince(runtime));
  const joined: Joined = {
    project: place.name,
    author: place.author,
    server: nameOf(parseTarget(settings.url)),
    pulled: result?.added ?? 0,
    shared: counts.shared,
    sharing: (await store.team.membership())?.sharing ?? null,
    isSynced: result !== null,
    isNew,
  };
  host.stdout.write(options.json ? renderResult(joined) : renderJoined(joined));
  return 0;
};

/** The URL comes from the command line without a password, or from where others cannot read it. */
async function urlFrom(target: string | undefined, { host }: Runtime): Promise<string> {
  if (target !== undefined && target !== "-") return withoutPassword(target);
  const url =
    target === "-" ? await unlessInterrupted(host, host.stdin.readLine()) : host.env.MEMENTOR_TEAM_URL;
  if (url) return url.trim();
  throw new MementorError("usage", "The URL of the team's server is missing.", {
    hint: 'Give it, or set MEMENTOR_TEAM_URL, or write "-" to have it read from standard input.',
  });
}

// What the environment or a password file has is not copied.
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

/** Returns a URL without its password, with what says how to connect. */
function plainUrl(url: string): string {
  const target = parseTarget(url);
  const parameters = new URLSearchParams();
  if (target.sslMode !== null) parameters.set("sslmode", target.sslMode);
  if (target.sslRootCert !== null) parameters.set("sslrootcert", target.sslRootCert);
  const name = nameOf(target);
  if (parameters.size === 0) return name;
  return `${name}${name.includes("?") ? "&" : "?"}${parameters}`;
}
