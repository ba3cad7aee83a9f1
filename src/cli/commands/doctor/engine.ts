import { MAX_COSINE_DISTANCE } from "../../../constants.ts";
import { groupedDigits } from "../../../text/numbers.ts";
import { type Check, type Finding, failure, ok, warning } from "./check.ts";

/** The result of embedding, storing and finding a text: its distance to the query, and the time for all of it. */
export interface RoundTrip {
  distance: number;
  durationMs: number;
}

/** A session of another project. */
export interface ForeignSession {
  sessionId: string;
  /** The root of its project. */
  root: string;
}

/** The parts that the checks use. When one rejects, its check reports an error. */
export interface EngineTools {
  versions: () => Record<string, string>;
  /** Files of the model and libraries with a wrong hash. Writing them again repairs them. */
  assetProblems: () => Promise<readonly { file: string; problem: string }[]>;
  repairAssets: () => Promise<void>;
  hasFts5: () => Promise<boolean>;
  /** Problems that SQLite's integrity check finds; null when there is no database. */
  databaseProblems: () => Promise<readonly string[] | null>;
  /** Problems of the index of words of a database that is sound otherwise; null when there is no database. */
  wordProblems: () => Promise<readonly string[] | null>;
  /** Makes the index of words anew from the stored texts. */
  rebuildWords: () => Promise<void>;
  /** Whether the memory was cleaned with today's rules, and how many secrets the last scan left; null without a database. */
  secrets: () => Promise<{ isCurrent: boolean; found: number } | null>;
  /** How many lines of transcripts hold no text to remember, and what they are in words; null where nothing was read. */
  skipped: () => Promise<{ lines: number; kinds: string } | null>;
  /** Sessions of another project that an earlier version took; null without a database. */
  strays: () => Promise<readonly ForeignSession[] | null>;
  /** Writes these sessions to files beside the database, and removes them from the memory. */
  setStraysAside: () => Promise<void>;
  /** Sets a corrupt database aside and copies what can be read to a new one. */
  repairDatabase: () => Promise<void>;
  /** Damaged databases that were set aside earlier. */
  setAside: () => readonly string[];
  /** Embeds a text, stores it in a temporary database and finds it by another text. */
  roundTrip: () => Promise<RoundTrip>;
}

/** Checks the parts of mementor, and finally one live recall. */
export function engineChecks(tools: EngineTools): Check[] {
  return [
    { name: "versions", run: () => ok(list(tools.versions())) },
    { name: "assets", run: () => checkAssets(tools) },
    { name: "fts5", run: () => checkFts5(tools) },
    { name: "database", run: () => checkDatabase(tools) },
    { name: "words", run: () => checkWords(tools) },
    { name: "sessions", run: () => checkSessions(tools) },
    { name: "secrets", run: () => checkSecrets(tools) },
    { name: "lines", run: () => describeSkipped(tools) },
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

async function checkFts5({ hasFts5 }: EngineTools): Promise<Finding> {
  if (await hasFts5()) return ok("SQLite has FTS5.");
  return failure("This SQLite has no FTS5, so keywords find nothing.", "Use another build of SQLite.");
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

async function describeSkipped({ skipped }: EngineTools): Promise<Finding> {
  const found = await skipped();
  if (found === null || found.lines === 0) return ok("No line of a transcript was left out.");
  return ok(`Lines of transcripts without text to remember: ${groupedDigits(found.lines)} (${found.kinds}).`);
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
