import { resolve } from "node:path";
import { INDEXED_CHARS } from "../../constants.ts";
import { MementorError, toMementorError } from "../../errors.ts";
import type { IngestReport } from "../../ingest/report.ts";
import type { Lock } from "../../io/lock.ts";
import { statIfExists } from "../../io/read.ts";
import { besideDatabase } from "../../project/memory.ts";
import { EMBED_NOW_LOCK, queuedCount } from "../../project/queue.ts";
import { notEnabled } from "../../project/refusal.ts";
import { readRegistry } from "../../project/registry.ts";
import type { Runtime } from "../../runtime.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import { printable } from "../../text/invisible.ts";
import { groupedDigits, plural } from "../../text/numbers.ts";
import { defineCommand } from "../command-line/command.ts";
import { flag, jsonOption, listArgument, type OptionValues } from "../command-line/option.ts";
import { ProgressBar } from "../terminal/progress.ts";
import { renderJson } from "../terminal/view.ts";

const options = {
  textOnly: flag("Embed later; searching by keywords works at once"),
  now: flag("Embed at once what waits for the background, too, on battery and on a busy machine"),
  json: jsonOption,
};

type IngestOptions = OptionValues<typeof options>;

export const command = defineCommand({
  name: "ingest",
  help: { group: "For programs", position: 6 },
  summary: "Read what agents have left on disk of this project, or the named transcripts",
  arguments: { paths: listArgument("paths") },
  options,
  examples: ["mementor ingest", "mementor ingest ~/.claude/projects/-home-me-app", "mementor ingest --now"],
  run: ({ args, options: typed }, runtime) => ingest(args.paths, typed, runtime),
});

/**
 * Reads transcripts into the memory, and creates the memory if there is none. Returns the exit code.
 *
 * @throws `usage` for `--now` with `--text-only`, and `config_invalid` where it is not known what is to be left out.
 */
export async function ingest(
  named: readonly string[],
  options: IngestOptions,
  given: Runtime,
): Promise<number> {
  const { withMemory } = await import("../memory.ts");
  const { knownExclusions } = await import("../config-problems.ts");
  const { ingestInto } = await import("../ingest.ts");
  const { readStamp } = await import("../../agents/list.ts");
  const { textOnly, now, json } = options;
  const { host } = given;
  const isWhole = readsProject(named, options);
  refuseBoth(options);
  await knownExclusions(given);
  const paths = await collect(named, isWhole, given);
  const runtime = await withMemory(given);
  await using store = await runtime.openStore("create");
  const signal = host.interrupted();
  const only = now ? await takeOver(runtime, signal) : null;
  const queued = now ? await catchUp(store, runtime, signal) : 0;
  const bar = new ProgressBar(host, {
    // A transcript that is gone has no size. Reading it will report that.
    read: () => paths.reduce((sum, path) => sum + (readStamp(path)?.size ?? 0), 0),
    embed: () => store.ingest.pendingCount(),
  });
  const report = await ingestInto(store, runtime, {
    paths,
    textOnly,
    lost: isWhole ? await lostSessions(given) : undefined,
    alsoFrom: named.length > 0 ? "any" : undefined,
    waits: true,
    signal,
    hooks: {
      onStage: (stage) => bar.begin(stage),
      onProgress: (progress) => bar.advance(progress),
      onNoEmbedder: (error) =>
        host.stderr.write(`Continuing without vectors: ${toMementorError(error).message}\n`),
    },
  });
  only?.release();
  bar.end();
  // Their texts are stored by now; this takes them from the queue. What fails waits there for the next worker.
  if (isWhole)
    await catchUp(store, runtime, signal).catch((error: unknown) =>
      host.stderr.write(`Not all of the queue was read: ${printable(toMementorError(error).message)}\n`),
    );
  const stopped = signal.aborted ? { unread: await unreadOf(paths, now, store, runtime) } : null;
  const done = paths.length > 0 ? renderIngest(report) : renderCaughtUp(queued, report);
  const text = stopped === null ? done : renderStopped(stopped.unread, report, done);
  host.stdout.write(json ? renderJson({ ...report, ...(stopped !== null && { stopped }) }) : text);
  if (signal.aborted) return typeof signal.reason === "number" ? signal.reason : 1;
  return report.files.failed > 0 ? 1 : 0;
}

function refuseBoth({ now, textOnly }: IngestOptions): void {
  if (!now || !textOnly) return;
  throw new MementorError("usage", '"--now" embeds, and "--text-only" does not.', {
    hint: "Leave one of them out.",
  });
}

/** Takes the embedding from the background worker, which leaves when it sees this lock. */
async function takeOver({ memory }: Runtime, signal: AbortSignal): Promise<Lock | null> {
  const { lockWhenFree } = await import("../ingest.ts");
  return lockWhenFree(besideDatabase(memory, EMBED_NOW_LOCK), true, signal);
}

/** Reads what hooks have queued for the background worker. Returns the number of transcripts. */
async function catchUp(store: SqliteStore, runtime: Runtime, signal: AbortSignal): Promise<number> {
  const { ingestQueue } = await import("../worker/queued.ts");
  const { directory } = runtime.memory;
  if (directory === null) return 0;
  const queued = queuedCount(directory);
  await ingestQueue({ directory, runtime, store, signal });
  return queued;
}

/** How many of the transcripts that were to be read are not, or not to their end. */
async function unreadOf(
  paths: readonly string[],
  now: boolean,
  { ingest }: SqliteStore,
  { memory: { directory } }: Runtime,
): Promise<number> {
  const { countUnread } = await import("../ingest.ts");
  return (await countUnread(paths, ingest)) + (now && directory !== null ? queuedCount(directory) : 0);
}

/** Sessions of the project of which only an agent's list of prompts is left. */
async function lostSessions({ project, paths, host }: Runtime) {
  const { withRecordedRoots } = await import("../../project/histories.ts");
  const { sessionsWithoutTranscript } = await import("../../agents/list.ts");
  return sessionsWithoutTranscript(withRecordedRoots(project, readRegistry(paths.configDir)), host);
}

async function collect(named: readonly string[], isWhole: boolean, runtime: Runtime): Promise<string[]> {
  const { withRecordedRoots } = await import("../../project/histories.ts");
  const { couldBeSource, discoverSessions, filesOfSession, isBelowRoots, projectSessions } = await import(
    "../../agents/list.ts"
  );
  if (named.length === 0) await requireEnabled(runtime);
  const other = named.find((path) => !couldBeSource(resolve(runtime.host.cwd, path)));
  if (other !== undefined) throw noTranscript(`${other} is no transcript of a coding agent`);
  const brought = named.find((path) => !isBelowRoots(resolve(runtime.host.cwd, path), runtime.host));
  if (brought !== undefined) {
    const { requirePerson } = await import("../person.ts");
    await requirePerson(runtime, `What ${brought} holds`, `mementor ingest ${brought}`);
  }
  const project = withRecordedRoots(runtime.project, readRegistry(runtime.paths.configDir));
  const { directory } = runtime.memory;
  const sessions = isWhole ? projectSessions(project, runtime.host) : [];
  if (isWhole && directory !== null) {
    // What was said here in the middle of another project's session is only known from the queue.
    const { queuedOf } = await import("../worker/queued.ts");
    sessions.push(...queuedOf({ directory, runtime }));
  }
  const sources = [
    ...named.map((path) => discoverSessions(resolve(runtime.host.cwd, path))),
    ...sessions.map(filesOfSession),
  ];
  const found = new Set<string>();
  for (const files of sources) for await (const file of files) found.add(file);
  // An existing memory still embeds its pending chunks.
  if (named.length > 0 && found.size === 0 && statIfExists(runtime.memory.databaseFile) === null)
    throw noTranscript(`there is no transcript in ${named.join(" ")}`);
  return [...found];
}

/** Tells whether the command reads the whole project: no transcript is named, and `--now` is absent. */
function readsProject(named: readonly string[], { now }: IngestOptions): boolean {
  return named.length === 0 && !now;
}

/** Rejects with `not_found` where the project is not enabled and has no memory: only what is named makes one there. */
async function requireEnabled(runtime: Runtime): Promise<void> {
  if (runtime.memory.directory === null || (await runtime.origin()) !== "none") return;
  const refusal = notEnabled(runtime.paths, runtime.project.root);
  if (refusal !== null) throw refusal;
}

function noTranscript(message: string): MementorError {
  return new MementorError("not_found", `Nothing was read: ${message}.`, {
    hint: "Name the file of a session, or a directory in which an agent keeps some.",
  });
}

function skippedLine({ lines }: IngestReport): string {
  const skipped = Object.values(lines.skipped).reduce((sum, count) => sum + count, 0);
  if (skipped === 0) return "";
  return `Lines     ${groupedDigits(lines.total)} read, ${groupedDigits(lines.indexed)} indexed, ${groupedDigits(skipped)} without text to remember\n`;
}

function vectorsLine({ chunks }: IngestReport): string {
  const parts = [`${groupedDigits(chunks.embedded)} embedded`];
  if (chunks.reused > 0) parts.push(`${groupedDigits(chunks.reused)} unchanged`);
  if (chunks.pending > 0) parts.push(`${groupedDigits(chunks.pending)} still to embed`);
  return `Chunks    ${groupedDigits(chunks.written)} written, ${parts.join(", ")}\n`;
}

function unindexedLine({ unindexed = 0 }: IngestReport): string {
  if (unindexed === 0) return "";
  return `          ${plural(unindexed, "character")} in the middle of turns over ${groupedDigits(INDEXED_CHARS)} are stored and shown, and no search finds them\n`;
}

/** Renders what an ingest did. */
function renderIngest(report: IngestReport): string {
  const failures = report.failures.map(
    ({ path, message }) => `Failed    ${printable(path)}: ${printable(message)}\n`,
  );
  const { files, turns, seconds } = report;
  if (files.read === 0 && files.failed === 0 && report.chunks.embedded === 0) {
    const known =
      files.unchanged === 0
        ? "No transcripts found."
        : `Nothing new in ${plural(files.unchanged, "transcript")}.`;
    return `${known}\n`;
  }
  const unchanged = files.unchanged > 0 ? `, ${groupedDigits(files.unchanged)} unchanged` : "";
  return [
    `Read      ${plural(files.read, "transcript")}${unchanged}\n`,
    `Sessions  ${groupedDigits(report.sessions)}\n`,
    `Turns     ${groupedDigits(turns.inserted)} new, ${groupedDigits(turns.updated)} updated\n`,
    vectorsLine(report),
    unindexedLine(report),
    skippedLine(report),
    ...failures,
    `Took      ${(seconds.read + seconds.embed).toFixed(1)} s (reading ${seconds.read.toFixed(1)} s, embedding ${seconds.embed.toFixed(1)} s)\n`,
  ].join("");
}

/** Says that an ingest was stopped, and what is left; then what it did, if that is anything. */
function renderStopped(unread: number, { chunks, files }: IngestReport, done: string): string {
  const left = [
    unread > 0 && `${plural(unread, "transcript")} not read to the end`,
    chunks.pending > 0 && `${plural(chunks.pending, "chunk")} still to embed`,
  ].filter((part) => part !== false);
  if (left.length === 0) return done;
  const isNothing = files.read + files.failed + chunks.embedded === 0;
  return `Stopped   with ${left.join(" and ")}; what was read is kept, and the same command goes on\n${isNothing ? "" : done}`;
}

/** Renders what an ingest did that had no transcripts to read but those in the queue. */
function renderCaughtUp(transcripts: number, { chunks }: IngestReport): string {
  if (transcripts === 0 && chunks.embedded === 0 && chunks.pending === 0) return "Nothing was waiting.\n";
  const pending = chunks.pending > 0 ? `, ${groupedDigits(chunks.pending)} still to embed` : "";
  return `Read ${plural(transcripts, "queued transcript")}, embedded ${plural(chunks.embedded, "chunk")}${pending}.\n`;
}
