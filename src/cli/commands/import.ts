import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import * as v from "valibot";
import { oneLine } from "../../agents/notices.ts";
import { MementorError, toMementorError } from "../../errors.ts";
import type { Host } from "../../host.ts";
import type { ImportReport } from "../../ingest/import/import.ts";
import type { ExportContent } from "../../ingest/import/lines.ts";
import { statIfExists } from "../../io/read.ts";
import { besideDatabase } from "../../project/memory.ts";
import { startWorker } from "../../project/queue.ts";
import { isTrusted } from "../../project/trust.ts";
import type { Runtime } from "../../runtime.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import { shWord } from "../../text/lines.ts";
import { contentsText, plural } from "../../text/numbers.ts";
import { renderDate } from "../../text/when.ts";
import { defineCommand } from "../command-line/command.ts";
import {
  consentOptions,
  flag,
  labelSchema,
  type OptionValues,
  requiredArgument,
  valued,
} from "../command-line/option.ts";
import { askUser, canAsk, type Decision, declined, unlessInterrupted } from "../terminal/ask.ts";
import { ProgressBar } from "../terminal/progress.ts";
import { renderBytes, renderFacts } from "../terminal/table.ts";
import { printResult, renderJson } from "../terminal/view.ts";

const options = {
  from: valued("name", "Name of the origin (default: the name in the file)", labelSchema()),
  textOnly: flag("Embed later; searching by keywords works at once"),
  now: flag("Embed at once and wait for it, instead of in the background"),
  ...consentOptions,
  dryRun: flag("Show what the file holds, and import nothing"),
};

type ImportOptions = OptionValues<typeof options>;

export const command = defineCommand({
  name: "import",
  help: { group: "For programs", position: 5 },
  summary: "Import what another memory exported, marked with its origin",
  arguments: { file: requiredArgument("file", v.string()) },
  options,
  examples: [
    "mementor import memory.jsonl",
    "mementor import memory.jsonl --from ada --yes",
    "ssh grace mementor export -C app | mementor import -",
  ],
  run: ({ args, options: typed }, runtime) => importMemory(args.file, typed, runtime),
});

/**
 * Imports an exported memory, `-` from stdin, and creates the memory of this project if there is none. On a terminal, shows
 * what the file holds and asks first. Returns the exit code.
 */
async function importMemory(exported: string, options: ImportOptions, given: Runtime): Promise<number> {
  const { host } = given;
  if (exported !== STDIN) return importFrom(resolve(host.cwd, exported), options, given);
  // An export from stdin leaves no stdin for the answer.
  return withStandardInput(host, (file) => importFrom(file, { ...options, yes: true }, given));
}

async function importFrom(
  file: string,
  { from, textOnly, now, dryRun, yes, json }: ImportOptions,
  given: Runtime,
): Promise<number> {
  const { withMemory } = await import("../memory.ts");
  const { ingestInto } = await import("../ingest.ts");
  const { host } = given;
  const decision = await decide(file, { from, dryRun, json, asks: !yes && !json && canAsk(host) }, host);
  if (decision !== "yes") return dryRun ? 0 : declined(host, "Nothing was imported.");
  const runtime = await withMemory(given);
  await using store = await runtime.openStore("create");
  const bar = new ProgressBar(host, {
    read: () => statIfExists(file)?.size ?? 0,
    embed: () => store.ingest.pendingCount(),
  });
  const report = await readInto(store, runtime, { file, from: from ?? null }, bar);
  const signal = host.interrupted();
  const isLater = !now && !textOnly && embedsInBackground(runtime);
  const { chunks } = await ingestInto(store, runtime, {
    paths: [],
    textOnly: textOnly || isLater,
    waits: true,
    signal,
    hooks: {
      onStage: async (stage) => void (stage === "embed" && (await bar.begin(stage))),
      onProgress: (progress) => bar.advance(progress),
      onNoEmbedder: (error) =>
        host.stderr.write(`Continuing without vectors: ${toMementorError(error).message}\n`),
    },
  });
  bar.end();
  if (isLater && chunks.pending > 0 && !signal.aborted) startWorker(host, runtime.project.root);
  const { embedded, pending } = chunks;
  printResult(runtime, { json }, { ...report, chunks: { ...report.chunks, embedded, pending } }, () =>
    renderImport({ ...report, embedded, pending, isLater }),
  );
  return report.invalid.count > 0 || !report.complete ? 1 : 0;
}

/** Tells whether a worker may embed here: in a memory that its user enabled, and not in a database named with --db. */
function embedsInBackground({ memory, paths, project }: Runtime): boolean {
  return memory.directory !== null && isTrusted(paths, project.root);
}

/** Shows the file's contents and asks for confirmation if needed. A dry run counts as "no". */
async function decide(
  file: string,
  { from, dryRun, json, asks }: Pick<ImportOptions, "from" | "dryRun" | "json"> & { asks: boolean },
  host: Host,
): Promise<Decision> {
  if (!dryRun && !asks) return "yes";
  const content = await preview(file, from);
  host.stdout.write(json ? renderJson({ ...content, dry_run: true }) : renderContent(content));
  if (!dryRun) return askUser(host, "Import this?", "yes");
  if (!json) host.stdout.write("Nothing was imported: this was a dry run.\n");
  return "no";
}

/** Returns what an export holds, under the name that its origin will have here. */
async function preview(file: string, from: string | undefined): Promise<ExportContent> {
  const { originName } = await import("../../ingest/import/import.ts");
  const { previewExport } = await import("../../ingest/import/lines.ts");
  const { cleanText } = await import("../../redact/clean.ts");
  const content = previewExport(file);
  return { ...content, origin: originName(from ?? null, content.origin, cleanText) };
}

async function readInto(
  store: SqliteStore,
  runtime: Runtime,
  { file, from }: { file: string; from: string | null },
  bar: ProgressBar,
) {
  const { knownExclusions } = await import("../config-problems.ts");
  const { lockWhenFree } = await import("../ingest.ts");
  const { importFile } = await import("../../ingest/import/import.ts");
  const { globTest } = await import("../../ingest/exclude.ts");
  const { cleanText } = await import("../../redact/clean.ts");
  const exclude = await knownExclusions(runtime);
  const signal = runtime.host.interrupted();
  using lock = await lockWhenFree(besideDatabase(runtime.memory, "read.lock"), true, signal);
  if (!lock) throw interruptedWhileWaiting();
  await bar.begin("read");
  let tokenizer: ReturnType<Runtime["openTokenizer"]> | undefined;
  return await importFile(file, from, {
    store: store.ingest,
    tokenizer: () => (tokenizer ??= runtime.openTokenizer()),
    redact: cleanText,
    model: await store.models.active(),
    isPathExcluded: globTest(exclude.paths),
    onBytes: (done) => bar.advance({ stage: "read", done }),
    signal,
  });
}

function interruptedWhileWaiting(): MementorError {
  return new MementorError("db_locked", "Nothing was imported: another mementor process was at work.", {
    hint: "Run the command again.",
  });
}

/** Stands for the standard input. */
const STDIN = "-";

/** Calls `use` with a file that holds the standard input, since an import reads it twice. Only its owner may read it. */
async function withStandardInput<T>(host: Host, use: (file: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(host.tempDir, "mementor-import-"));
  try {
    const file = join(directory, "standard-input");
    const copied = pipeline(host.stdin.chunks(), createWriteStream(file, { mode: 0o600 }));
    await unlessInterrupted(host, copied);
    return await use(file);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The result of an import, and the progress of its embedding. */
interface Imported extends ImportReport {
  embedded: number;
  pending: number;
  /** True if a background process embeds the rest. */
  isLater: boolean;
}

/** Renders what an export holds, before it is imported. */
function renderContent(content: ExportContent): string {
  const { origin, bytes, from, to, invalid } = content;
  const span = from === null ? "" : `, ${renderDate(from)} to ${renderDate(to)}`;
  return renderFacts([
    ["From", [`${oneLine(origin)} (${renderBytes(bytes)}); its turns stay marked with that name`]],
    ["Holds", [`${contentsText(content)}${span}`]],
    ["Invalid", invalid > 0 ? [`${plural(invalid, "line")}, which will be left out`] : []],
  ]);
}

/** Renders what an import did. */
function renderImport(report: Imported): string {
  const { origin, turns, sessions, notes, chunks, embedded, pending, isLater } = report;
  const { mentionsDropped, invalid, complete } = report;
  const rest = isLater
    ? ", the others in the background: until then, words find them"
    : `, ${pending} still to embed`;
  const problems = invalid.lines.map(({ line, problem }) => `line ${line}: ${oneLine(problem)}`);
  const more = invalid.count > problems.length ? [`and ${invalid.count - problems.length} more`] : [];
  return renderFacts([
    ["From", [oneLine(origin)]],
    ["Turns", fateLines(turns, `, of ${plural(sessions, "session")}`)],
    ["Notes", Object.values(notes).some((count) => count > 0) ? fateLines(notes) : []],
    [
      "Chunks",
      [
        `${chunks.written} written, ${chunks.brought > 0 ? `${chunks.brought} with vectors from the file, ` : ""}${embedded} embedded${pending > 0 ? rest : ""}`,
      ],
    ],
    [
      "Left out",
      mentionsDropped > 0
        ? [`${plural(mentionsDropped, "path")}: invalid, excluded or outside a project`]
        : [],
    ],
    ["Invalid", invalid.count > 0 ? [`${plural(invalid.count, "line")}`, ...problems, ...more] : []],
    [
      "Note",
      complete
        ? []
        : ["The file is incomplete. Its turns are stored; import it again when you have the whole file."],
    ],
    ["Undo", turns.inserted + notes.inserted > 0 ? [`mementor forget --imported ${shWord(origin)}`] : []],
  ]);
}

function fateLines({ inserted, updated, known, own, forgotten }: Imported["turns"], more = ""): string[] {
  return [
    `${inserted} new, ${updated} updated${more}`,
    ...(known > 0 ? [`${known} already imported`] : []),
    ...(own > 0 ? [`${own} unchanged: from your own transcripts`] : []),
    ...(forgotten > 0 ? [`${forgotten} not stored: forgotten here before`] : []),
  ];
}
