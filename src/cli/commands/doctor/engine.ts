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
    return ok("There is no sqlite-vec for this platform; the program searches the vectors itself.");
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
  if (problems === null) return ok("There are no words to find yet.");
  if (problems.length === 0) return ok("The index of words is whole.");
  return failure(
    `The index of words is damaged: ${problems.slice(0, 3).join("; ")}.`,
    'Run "mementor doctor --fix". It makes the index anew from what is stored.',
    rebuildWords,
  );
}

async function checkSessions({ strays, setStraysAside }: EngineTools): Promise<Finding> {
  const found = await strays();
  if (found === null) return ok("There are no sessions yet.");
  if (found.length === 0) return ok("No session of another project is in the memory.");
  const roots = [...new Set(found.map(({ root }) => root))].join(", ");
  return failure(
    `Sessions of another project, which an earlier version took: ${found.length}, of ${roots}.`,
    `Run "mementor doctor --fix". It writes each to a file beside the database, which "mementor import" takes into the memory of its own project, and removes it here.`,
    setStraysAside,
  );
}

async function checkSecrets({ secrets }: EngineTools): Promise<Finding> {
  const state = await secrets();
  if (state === null) return ok("There is no memory to look for secrets in.");
  const advice = 'Run "mementor doctor --secrets --fix".';
  if (state.found > 0)
    return warning(`The last scan found ${state.found} secrets in the memory, and left them.`, advice);
  if (state.isCurrent) return ok("No secret that today's rules know is in the memory.");
  return warning(
    "An older version wrote parts of this memory; it may hold secrets that today's rules know.",
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
