import * as v from "valibot";
import { defineCommand } from "../command/command.ts";
import { flag } from "../command/option.ts";
import { label, oneOf } from "../command/schema.ts";
import { NOTE } from "../constants.ts";
import { MementorError } from "../errors.ts";
import type { Filter } from "../filter/filter.ts";
import type { ExportFormat, ExportReport } from "../render/export.ts";
import { renderJson } from "../render/json.ts";
import type { ReadStore } from "../store/contract/store.ts";
import type { ExportedTurn } from "../store/contract/types/export.ts";
import { VERSION } from "../version.ts";
import { filterOptions, ownFilterOf } from "./shared/filter.ts";

/** Number of turns that an export holds in memory at a time. */
const EXPORT_PAGE = 100;

export const command = defineCommand({
  name: "export",
  help: { group: "Look after", position: 4 },
  summary: "Write the memory, or a part of it, as JSON lines or Markdown",
  arguments: {},
  options: {
    format: {
      value: "format",
      description: "jsonl (default; can be imported) or markdown (to read)",
      schema: v.optional(oneOf(["jsonl", "markdown"])),
    },
    output: {
      short: "o",
      value: "file",
      description: "Write to this file instead of the terminal; - is standard output",
      schema: v.optional(v.string()),
    },
    as: {
      value: "name",
      description: "Name that an import gives the origin (default: the project's name)",
      schema: v.optional(label()),
    },
    vectors: flag("With jsonl: also what the model made of it, so that an import need not embed it again"),
    ...filterOptions(),
    json: flag("With -o: print a summary as JSON"),
  },
  examples: [
    "mementor export -o memory.jsonl",
    "mementor export --format markdown --since 1mo -o march.md",
    "mementor export --session 1b7c0a52 --format markdown | less",
  ],
  printsData: ({ options }) => fileOf(options.output) === undefined,
  async run({ options }, runtime) {
    const { jsonLines, markdown, renderExport } = await import("../render/export.ts");
    const { cleanText } = await import("../redact/clean.ts");
    const { host } = runtime;
    const { json } = options;
    const output = fileOf(options.output);
    if (options.vectors) runtime.requireLocal();
    if (json && output === undefined)
      throw new MementorError("usage", '"--json" reports what was written to a file.', {
        hint: 'Add "-o memory.jsonl". Without "--json", the export is printed.',
      });
    const format = options.format ?? (/\.(?:md|markdown)$/i.test(output ?? "") ? "markdown" : "jsonl");
    const { openToRead } = await import("../across/open-to-read.ts");
    await using store = await openToRead(runtime);
    const filter = await ownFilterOf(options, runtime, store.browse);
    const origin = options.as ?? runtime.projectName;
    const pieces = exportedPieces(
      store,
      filter,
      origin,
      format === "jsonl" ? jsonLines(cleanText) : markdown(cleanText),
      { now: host.now(), vectors: options.vectors },
    );
    if (output === undefined) {
      for await (const { text } of pieces) host.stdout.write(text);
      return 0;
    }
    const { outputFile } = await import("./shared/output.ts");
    const file = outputFile(output, "--output", runtime);
    const report = { file, format, ...(await writeWhole(file, pieces)) } satisfies ExportReport;
    host.stdout.write(json ? renderJson(report) : renderExport(report));
    return 0;
  },
});

/** A dash stands for the standard output, as no file does. */
function fileOf<T>(output: T): T | undefined {
  return output === "-" ? undefined : output;
}

interface Piece {
  text: string;
  turns: number;
  sessions: number;
}

async function* exportedPieces(
  store: ReadStore,
  filter: Filter,
  origin: string,
  format: ExportFormat,
  { now, vectors }: { now: Date; vectors: boolean },
): AsyncIterable<Piece> {
  const { EXPORT_VERSION, VECTORS_VERSION } = await import("../import/schema.ts");
  const version = vectors ? VECTORS_VERSION : EXPORT_VERSION;
  const about = { origin, time: now.toISOString(), program: `mementor ${VERSION}`, version };
  const { browse, exports } = store;
  const counts = { turns: 0, sessions: 0 };
  yield { text: format.head(about), turns: 0, sessions: 0 };
  for (const sessionId of await exports.sessionIds(filter)) {
    const session = await exports.session(sessionId);
    const ids = await exports.turnIds(sessionId, filter);
    // A session is one's own if one of its turns is, whoever brought the first.
    const [whose] = await browse.summaries([sessionId]);
    if (session === null || whose === undefined || ids.length === 0) continue;
    yield { text: format.session(session, whose), turns: 0, sessions: sessionsOf(whose) };
    counts.sessions += 1;
    for (let at = 0; at < ids.length; at += EXPORT_PAGE) {
      const turns = await exports.turns(ids.slice(at, at + EXPORT_PAGE));
      const vectorsOf = vectors ? await vectorLines(store, turns, format) : null;
      for (const turn of turns)
        yield { text: format.turn(turn) + (vectorsOf?.get(turn.turnId) ?? ""), turns: 1, sessions: 0 };
      counts.turns += turns.length;
    }
  }
  yield { text: format.end(counts), turns: 0, sessions: 0 };
}

/** The end of a file counts its records. A person hears of sessions, and a note is none. */
function sessionsOf({ client }: { client: string }): number {
  return client === NOTE.client ? 0 : 1;
}

/** The vectors of turns by the active model, as the format writes them. */
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
  const { openAtomic } = await import("../io/write.ts");
  const draft = openAtomic(file, { mode: 0o600, replace: true });
  const written = { turns: 0, sessions: 0, bytes: 0 };
  try {
    for await (const { text, turns, sessions } of pieces) {
      const bytes = Buffer.from(text);
      draft.write(bytes);
      written.turns += turns;
      written.sessions += sessions;
      written.bytes += bytes.length;
    }
    draft.commit();
    return written;
  } finally {
    draft.discard();
  }
}
