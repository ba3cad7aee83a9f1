import * as v from "valibot";
import { NOTE } from "../../constants.ts";
import { MementorError } from "../../errors.ts";
import type { Filter } from "../../store/filter.ts";
import type { ReadStore } from "../../store/store.ts";
import type { ExportedTurn, MemoryContents } from "../../store/stored.ts";
import { defineCommand } from "../command-line/command.ts";
import { filterOptions, flag, labelSchema, readOwnTurnsFilter, valued } from "../command-line/option.ts";
import type { ExportFormat, ExportReport } from "./export/text.ts";

/** Number of turns that an export holds in memory at a time. */
const EXPORT_PAGE = 100;

export const command = defineCommand({
  name: "export",
  help: { group: "For programs", position: 4 },
  summary: "Write the memory, or a part of it, as JSON lines",
  readsTeam: true,
  arguments: {},
  options: {
    output: valued(
      "file",
      "Write to this file instead of the terminal; - is standard output",
      v.string(),
      "o",
    ),
    as: valued("name", "Name that an import gives the origin (default: the project's name)", labelSchema()),
    vectors: flag("Also write the vectors, so that an import need not embed again"),
    ...filterOptions(),
    json: flag("With -o: print a summary as JSON"),
  },
  examples: [
    "mementor export -o memory.jsonl",
    "mementor export --session 1b7c0a52 --vectors -o session.jsonl",
  ],
  printsData: ({ options }) => fileOf(options.output) === undefined,
  async run({ options }, runtime) {
    const { jsonLines, renderExport } = await import("./export/text.ts");
    const { cleanText } = await import("../../redact/clean.ts");
    const { host } = runtime;
    const { json } = options;
    const output = fileOf(options.output);
    if (options.vectors) runtime.requireLocal();
    if (json && output === undefined)
      throw new MementorError("usage", '"--json" reports what was written to a file.', {
        hint: 'Add "-o memory.jsonl". Without "--json", the export is printed.',
      });
    const { openToRead } = await import("../../recall/across/open-to-read.ts");
    await using store = await openToRead(runtime);
    const filter = await readOwnTurnsFilter(options, runtime, store.browse);
    const origin = options.as ?? runtime.projectName;
    const source: Source = { store, filter, vectors: options.vectors, format: jsonLines(cleanText) };
    const pieces = exportedPieces(source, origin, host.now());
    if (output === undefined) {
      for await (const { text } of pieces) host.stdout.write(text);
      return 0;
    }
    const { outputFile } = await import("../terminal/pager.ts");
    const file = outputFile(output, "--output", runtime);
    const report = { file, format: "jsonl", ...(await writeWhole(file, pieces)) } satisfies ExportReport;
    const { renderJson } = await import("../terminal/view.ts");
    host.stdout.write(json ? renderJson(report) : renderExport(report));
    return 0;
  },
});

/** Returns the output file; undefined for standard output, which is `-` or no file at all. */
function fileOf<T>(output: T): T | undefined {
  return output === "-" ? undefined : output;
}

interface Piece {
  text: string;
  /** The count that the piece adds to. Absent for the first and last line, and for the session of a note. */
  is?: keyof MemoryContents;
}

interface Source {
  store: ReadStore;
  filter: Filter;
  format: ExportFormat;
  vectors: boolean;
}

/** Writes a session to a file that can be imported. */
export async function writeSession(
  file: string,
  { store, session }: { store: ReadStore; session: string },
  { origin, now }: { origin: string; now: Date },
): Promise<void> {
  const { jsonLines } = await import("./export/text.ts");
  const { cleanText } = await import("../../redact/clean.ts");
  const source = { store, filter: { session }, vectors: false, format: jsonLines(cleanText) };
  await writeWhole(file, exportedPieces(source, origin, now));
}

async function* exportedPieces(source: Source, origin: string, now: Date): AsyncIterable<Piece> {
  const { EXPORT_VERSION, VECTORS_VERSION } = await import("../../ingest/import/schema.ts");
  const { VERSION } = await import("../../version.ts");
  const { format, vectors } = source;
  const version = vectors ? VECTORS_VERSION : EXPORT_VERSION;
  const held: MemoryContents = { turns: 0, sessions: 0, notes: 0 };
  yield { text: format.head({ origin, time: now.toISOString(), program: `mementor ${VERSION}`, version }) };
  for await (const piece of sessionPieces(source)) {
    if (piece.is !== undefined) held[piece.is] += 1;
    yield piece;
  }
  yield { text: format.end(held) };
}

async function* sessionPieces({ store, filter, format, vectors }: Source): AsyncIterable<Piece> {
  const { browse, exports } = store;
  for (const sessionId of await exports.sessionIds(filter)) {
    const session = await exports.session(sessionId);
    const ids = await exports.turnIds(sessionId, filter);
    // A session belongs to the user if any of its turns does, even if a colleague's turn arrived first.
    const [whose] = await browse.summaries([sessionId]);
    if (session === null || whose === undefined || ids.length === 0) continue;
    const isNote = whose.client === NOTE.client;
    yield { text: format.session(session, whose), ...(!isNote && { is: "sessions" as const }) };
    for await (const text of turnTexts(ids, { store, format, vectors }))
      yield { text, is: isNote ? "notes" : "turns" };
  }
}

async function* turnTexts(
  ids: readonly number[],
  { store, format, vectors }: Omit<Source, "filter">,
): AsyncIterable<string> {
  for (let at = 0; at < ids.length; at += EXPORT_PAGE) {
    const turns = await store.exports.turns(ids.slice(at, at + EXPORT_PAGE));
    const vectorsOf = vectors ? await vectorLines(store, turns, format) : null;
    for (const turn of turns) yield format.turn(turn) + (vectorsOf?.get(turn.turnId) ?? "");
  }
}

/** Returns the formatted vectors of the active model, by turn. */
async function vectorLines(
  { models, local }: ReadStore,
  turns: readonly ExportedTurn[],
  format: ExportFormat,
): Promise<Map<number, string>> {
  const model = await models.active();
  if (model === null || local === null) return new Map();
  const found = await local.recall.turnVectors(turns.map(({ turnId }) => turnId));
  const own = (turn: ExportedTurn) => found.filter(({ turnId }) => turnId === turn.turnId);
  return new Map(turns.map((turn) => [turn.turnId, format.vectors(turn, model.id, own(turn))]));
}

/**
 * Writes the pieces to a temporary file and renames it when it is complete. Only the owner may read it, since it is a
 * memory.
 */
async function writeWhole(file: string, pieces: AsyncIterable<Piece>) {
  const { openAtomic } = await import("../../io/write.ts");
  const draft = openAtomic(file, { mode: 0o600, replace: true });
  const written = { turns: 0, sessions: 0, notes: 0, bytes: 0 };
  try {
    for await (const { text, is } of pieces) {
      const bytes = Buffer.from(text);
      draft.write(bytes);
      if (is !== undefined) written[is] += 1;
      written.bytes += bytes.length;
    }
    draft.commit();
    return written;
  } finally {
    draft.discard();
  }
}
