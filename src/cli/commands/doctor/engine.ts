import { MAX_COSINE_DISTANCE } from "../../../constants.ts";
import { type Check, type Finding, failure, ok, warning } from "./check.ts";
import type { engineTools } from "./tools.ts";

/** The parts that the checks use. When one rejects, its check reports an error. */
export type EngineTools = ReturnType<typeof engineTools>;

/** Checks the parts of mementor, and finally one live recall. */
export function engineChecks(tools: EngineTools): Check[] {
  return [
    { name: "versions", run: () => ok(list(tools.versions())) },
    { name: "assets", run: () => checkAssets(tools) },
    { name: "extension", run: () => checkExtension(tools) },
    { name: "database", run: () => checkDatabase(tools) },
    { name: "words", run: () => checkWords(tools) },
    { name: "sessions", run: () => checkSessions(tools) },
    { name: "secrets", run: () => checkSecrets(tools) },
    { name: "round-trip", run: () => checkRoundTrip(tools) },
  ];
}

function list(versions: Record<string, string>): string {
  return Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(", ");
}

async function checkAssets({ assetProblems, repairAssets }: EngineTools): Promise<Finding> {
  const problems = await assetProblems();
  if (problems.length === 0) return ok("The model and the libraries are intact.");
  const files = problems.map(({ file, problem }) => `${file} (${problem})`).join(", ");
  return failure(`Files in the cache are damaged: ${files}.`, 'Run "mementor doctor --fix".', repairAssets);
}

async function checkExtension({ vectorExtension }: EngineTools): Promise<Finding> {
  const version = await vectorExtension();
  if (version === "none")
    return ok("There is no sqlite-vec for this platform; mementor scans the vectors itself.");
  if (version !== null) return ok(`sqlite-vec ${version} is loaded.`);
  return warning(
    "SQLite cannot load extensions here, so vectors are scanned, which takes longer.",
    "On macOS: brew install sqlite.",
  );
}

async function checkDatabase({ databaseProblems, repairDatabase, setAside }: EngineTools): Promise<Finding> {
  const problems = await databaseProblems();
  if (problems === null) return ok("There is no database yet.");
  if (problems.length === 0) return ok(`The database is sound.${keptNote(setAside())}`);
  const advice =
    'Run "mementor doctor --fix". It sets the database aside and copies what can be read to a new one.';
  return failure(`The database is damaged: ${problems.slice(0, 3).join("; ")}.`, advice, repairDatabase);
}

async function checkWords({ wordProblems, rebuildWords }: EngineTools): Promise<Finding> {
  const problems = await wordProblems();
  if (problems === null) return ok("There is no keyword index to check.");
  if (problems.length === 0) return ok("The keyword index is intact.");
  return failure(
    `The keyword index is damaged: ${problems.slice(0, 3).join("; ")}.`,
    'Run "mementor doctor --fix". It rebuilds the index from the stored turns.',
    rebuildWords,
  );
}

async function checkSessions({ strays, setStraysAside }: EngineTools): Promise<Finding> {
  const found = await strays();
  if (found === null) return ok("There are no sessions yet.");
  if (found.length === 0) return ok("The memory contains no session of another project.");
  const roots = [...new Set(found.map(({ root }) => root))].join(", ");
  return failure(
    `Sessions of another project, stored by an earlier version: ${found.length}, of ${roots}.`,
    `Run "mementor doctor --fix". It moves each to a file beside the database; import the file in its own project with "mementor import".`,
    setStraysAside,
  );
}

async function checkSecrets({ secrets }: EngineTools): Promise<Finding> {
  const state = await secrets();
  if (state === null) return ok("There is no memory to scan for secrets.");
  const advice = 'Run "mementor doctor --secrets --fix".';
  if (state.found > 0)
    return warning(`The last scan found ${state.found} secrets in the memory, and left them.`, advice);
  if (state.isCurrent) return ok("The memory contains no secret that today's rules recognise.");
  return warning(
    "An older version wrote parts of this memory; it may contain secrets that today's rules recognise.",
    advice,
  );
}

function keptNote(files: readonly string[]): string {
  if (files.length === 0) return "";
  return ` A damaged database is kept as ${files.join(", ")}. "mementor ingest" reads the transcripts that are still on disk.`;
}

async function checkRoundTrip({ roundTrip }: EngineTools): Promise<Finding> {
  const { distance, durationMs } = await roundTrip();
  const facts = `distance ${distance.toFixed(2)}, ${Math.round(durationMs)} ms`;
  if (distance < MAX_COSINE_DISTANCE) return ok(`A text was embedded, stored and found again (${facts}).`);
  return failure(
    `A text was stored but not found again (${facts}).`,
    'Run "mementor doctor --fix", then report it.',
  );
}
