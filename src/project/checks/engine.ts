import { MAX_COSINE_DISTANCE } from "../../constants.ts";
import { type Check, type Finding, failure, ok, warning } from "../doctor.ts";

/** A vector's round trip: the distance at which a stored text was found again, and how long it all took. */
export interface RoundTrip {
  distance: number;
  durationMs: number;
}

/** What the checks of the engine need of the parts; each may reject, which is an error of its check. */
export interface EngineTools {
  versions: () => Record<string, string>;
  /** Files of the model and libraries whose hash is wrong; writing them again mends it. */
  assetProblems: () => Promise<readonly { file: string; problem: string }[]>;
  repairAssets: () => Promise<void>;
  /** Version of sqlite-vec; null where this platform's SQLite loads no extensions. */
  vectorExtension: () => Promise<string | null>;
  hasFts5: () => Promise<boolean>;
  /** What SQLite's integrity check finds wrong; null where there is no database. */
  databaseProblems: () => Promise<readonly string[] | null>;
  /** Sets a corrupt database aside and carries over what can be read. */
  repairDatabase: () => Promise<void>;
  /** Damaged databases that were set aside before. */
  setAside: () => readonly string[];
  /** Embeds a text, stores it in a temporary database and finds it by another. */
  roundTrip: () => Promise<RoundTrip>;
}

/** Checks what mementor is made of, ending with one live recall. */
export function engineChecks(tools: EngineTools): Check[] {
  return [
    { name: "versions", run: () => ok(list(tools.versions())) },
    { name: "assets", run: () => checkAssets(tools) },
    { name: "extension", run: () => checkExtension(tools) },
    { name: "fts5", run: () => checkFts5(tools) },
    { name: "database", run: () => checkDatabase(tools) },
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
  if (problems.length === 0) return ok("The model and the libraries are as they were built.");
  const files = problems.map(({ file, problem }) => `${file} (${problem})`).join(", ");
  return failure(
    `Files in the cache are not what they should be: ${files}.`,
    'Run "mementor doctor --fix".',
    repairAssets,
  );
}

async function checkExtension({ vectorExtension }: EngineTools): Promise<Finding> {
  const version = await vectorExtension();
  if (version !== null) return ok(`sqlite-vec ${version} is loaded.`);
  return warning(
    "SQLite loads no extensions here; vectors are scanned, which takes longer.",
    "On macOS: brew install sqlite.",
  );
}

async function checkFts5({ hasFts5 }: EngineTools): Promise<Finding> {
  if (await hasFts5()) return ok("SQLite has FTS5.");
  return failure("This SQLite has no FTS5, so nothing is found by keywords.", "Use another build of SQLite.");
}

async function checkDatabase({ databaseProblems, repairDatabase, setAside }: EngineTools): Promise<Finding> {
  const problems = await databaseProblems();
  if (problems === null) return ok("There is no database yet.");
  if (problems.length === 0) return ok(`The database is sound.${keptNote(setAside())}`);
  const advice = 'Run "mementor doctor --fix": it is set aside, and what can be read is carried over.';
  return failure(`The database is damaged: ${problems.slice(0, 3).join("; ")}.`, advice, repairDatabase);
}

function keptNote(files: readonly string[]): string {
  if (files.length === 0) return "";
  return ` A damaged one is kept as ${files.join(", ")}; "mementor ingest --all" reads again what is still on disk.`;
}

async function checkRoundTrip({ roundTrip }: EngineTools): Promise<Finding> {
  const { distance, durationMs } = await roundTrip();
  const facts = `distance ${distance.toFixed(2)}, ${Math.round(durationMs)} ms`;
  if (distance < MAX_COSINE_DISTANCE) return ok(`A text was embedded, stored and found again (${facts}).`);
  return failure(
    `A text was stored and not found again (${facts}).`,
    'Run "mementor doctor --fix", then report it.',
  );
}
