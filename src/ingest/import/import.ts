import { NOTE } from "../../constants.ts";
import type { Turn } from "../../domain.ts";
import type { Tokenizer } from "../../embed/embedder.ts";
import { MementorError } from "../../errors.ts";
import type { PromptMark } from "../../store/marks.ts";
import type { IngestStore } from "../../store/store.ts";
import type { ImportDecision, WriteBatch } from "../../store/stored.ts";
import { isReservedName } from "../../text/names.ts";
import { CHUNK_LIMITS, chunkText } from "../chunk/markdown.ts";
import { sourceWithoutFile } from "../source.ts";
import {
  type Cleaner,
  cleanName,
  ExportReader,
  importedCompaction,
  importedPrLink,
  importedSession,
  importedSubagent,
  importedTurn,
} from "./lines.ts";
import { chunkHash, decodeVector, type ExportRecord } from "./schema.ts";

/** Turns per batch. */
const TURNS_PER_BATCH = 32;
/** Maximum invalid lines in a report. */
const REPORTED_LINES = 20;

export interface ImportDeps extends Cleaner {
  store: IngestStore;
  /** Model whose vectors are read from the file; null for none. */
  model: { id: string; dimensions: number } | null;
  /** Opens the tokenizer, for the first turn that must be split into chunks. */
  tokenizer: () => Promise<Tokenizer>;
  /** Receives the number of bytes read since the last call. */
  onBytes?: (bytes: number) => void;
  signal?: AbortSignal;
}

/** Number of turns or notes by their fate. */
type Fates = Record<"inserted" | "updated" | "known" | "own" | "forgotten", number>;

/** The result of an import. `lines` = `records` + `invalid.count`, without blank lines and the header. */
export interface ImportReport {
  origin: string;
  lines: number;
  records: number;
  turns: Fates;
  sessions: number;
  /** Notes, which count as neither turns nor sessions. */
  notes: Fates;
  chunks: { written: number; reused: number; brought: number };
  /** Number of dropped paths: they lead out of the project, are invalid or are excluded. */
  mentionsDropped: number;
  /** Number of invalid lines, and the first ones with the reason. */
  invalid: { count: number; lines: { line: number; problem: string }[] };
  /** False when the file is truncated or the import was interrupted. */
  complete: boolean;
}

/**
 * Imports the export of another memory, and marks its turns as imported. The caller holds the ingest lock. Importing the same
 * file again changes nothing, so an interrupted import can simply be repeated. Throws `import_invalid` when the file is not an
 * export.
 */
export async function importFile(path: string, from: string | null, deps: ImportDeps): Promise<ImportReport> {
  using reader = new ExportReader(path);
  const origin = originName(from, reader.header.origin, deps.redact);
  const writer = new ImportWriter(origin, from !== null, deps);
  for (const item of reader.records()) {
    if (deps.signal?.aborted) break;
    if ("problem" in item) writer.refuse(item.line, item.problem);
    else await writer.add(item.record);
    deps.onBytes?.(item.bytes);
  }
  await writer.flush();
  return writer.report;
}

const ORIGIN_CHARS = 80;

/**
 * Returns the stored name of an export's origin: the user's name for it, or else the name in the file. Throws `usage` for a
 * user's name with another meaning here, such as `team`; in a file, such a name is ignored.
 */
export function originName(given: string | null, inFile: string, redact: (text: string) => string): string {
  if (given !== null && isReservedName(given))
    throw new MementorError("usage", `"${given}" cannot be an origin's name: it has another meaning here.`, {
      hint: "Name the memory or the person that the file is from, such as --from kettle.",
    });
  return nameIn(given ?? inFile, redact) ?? "elsewhere";
}

function nameIn(given: string, redact: (text: string) => string): string | null {
  const name = cleanName(given, redact).slice(0, ORIGIN_CHARS);
  return name === "" || isReservedName(name) ? null : name;
}

type Facts = Pick<WriteBatch, "sessions" | "subagents" | "prLinks" | "compactions">;

/** Stores records in batches of one origin, each with its sessions and their facts. */
class ImportWriter {
  readonly report: ImportReport;
  readonly #deps: ImportDeps;
  /** True when the user named the origin. It then applies to all records, including those imported before the export. */
  readonly #isNamed: boolean;
  readonly #sessions = new Set<string>();
  /** Ids of the file's sessions that are notes. */
  readonly #noted = new Set<string>();
  #origin: string;
  #turns: Turn[] = [];
  #marks: PromptMark[] = [];
  /** Vectors from the file for the current turns, by the hashes of their chunks. */
  #vectors = new Map<string, Float32Array>();
  #facts: Facts = noFacts();

  constructor(origin: string, isNamed: boolean, deps: ImportDeps) {
    this.#deps = deps;
    this.#origin = origin;
    this.#isNamed = isNamed;
    this.report = {
      origin,
      lines: 0,
      records: 0,
      turns: noFates(),
      sessions: 0,
      notes: noFates(),
      chunks: { written: 0, reused: 0, brought: 0 },
      mentionsDropped: 0,
      invalid: { count: 0, lines: [] },
      complete: false,
    };
  }

  refuse(line: number, problem: string): void {
    const { invalid } = this.report;
    this.report.lines += 1;
    invalid.count += 1;
    if (invalid.lines.length < REPORTED_LINES) invalid.lines.push({ line, problem });
  }

  async add(record: ExportRecord): Promise<void> {
    this.report.lines += 1;
    this.report.records += 1;
    if (record.type === "end") {
      this.report.complete = true;
      return;
    }
    if (record.type === "vectors") return this.#bring(record);
    if (record.type === "turn" && this.#turns.length >= TURNS_PER_BATCH) await this.flush();
    await this.#switchTo(this.#memoryNameOf(record.foreign));
    const { sessions, subagents, prLinks, compactions } = this.#facts;
    switch (record.type) {
      case "session":
        if (record.client === NOTE.client) this.#noted.add(record.session_id);
        return void sessions.push(importedSession(record, this.#deps));
      case "subagent":
        return void subagents.push(importedSubagent(record, this.#deps));
      case "pr_link":
        return void prLinks.push(importedPrLink(record, this.#deps));
      case "compaction":
        return void compactions.push(importedCompaction(record, this.#deps));
      case "turn": {
        const turn = importedTurn(record, this.#deps);
        this.report.mentionsDropped += record.mentions.length - turn.mentions.length;
        this.#turns.push(turn);
        const { prompt_uuid: promptUuid } = record;
        // A pin expresses what its reader wants to keep, so it is not imported.
        const marks = record.marks.filter(({ kind }) => kind !== "pin");
        if (promptUuid !== null) this.#marks.push(...marks.map((mark) => ({ promptUuid, ...mark })));
      }
    }
  }

  #bring({ model, chunks }: Extract<ExportRecord, { type: "vectors" }>): void {
    const known = this.#deps.model;
    if (known === null || known.id !== model) return;
    for (const { hash, vector } of chunks) {
      const decoded = decodeVector(vector, known.dimensions);
      if (decoded !== null) this.#vectors.set(hash, decoded);
    }
  }

  /** Stores the file's vectors of the chunks just written. */
  async #saveBrought(chunksWritten: number): Promise<void> {
    if (this.#vectors.size === 0 || chunksWritten === 0) return;
    const pending = await this.#deps.store.latestPending(chunksWritten);
    const brought = pending.flatMap(({ chunkId, content }) => {
      const vector = this.#vectors.get(chunkHash(content));
      return vector === undefined ? [] : [{ chunkId, vector }];
    });
    await this.#deps.store.saveVectors(brought);
    this.report.chunks.brought += brought.length;
    this.#vectors.clear();
  }

  #memoryNameOf(foreign: string | null): string {
    if (this.#isNamed || foreign === null) return this.report.origin;
    return nameIn(foreign, this.#deps.redact) ?? this.report.origin;
  }

  async #switchTo(origin: string): Promise<void> {
    if (origin === this.#origin) return;
    await this.flush();
    this.#origin = origin;
  }

  async flush(): Promise<void> {
    const { store } = this.#deps;
    const fates = await store.fates(this.#turns, this.#origin);
    const wanted = this.#turns.filter((_, at) => fates[at] === "new" || fates[at] === "update");
    const notes = this.#count(fates);
    const turns = await this.#chunked(wanted);
    const isWanted = new Set(wanted.map((turn) => turn.promptUuid));
    const { chunksWritten, vectorsReused, turnsInserted, turnsUpdated } = await store.write({
      // All imports of one origin are one source, so that the same turn has the same place in it.
      source: sourceWithoutFile(`import:${this.#origin}`),
      rewritten: false,
      turns,
      marks: this.#marks.filter(({ promptUuid }) => isWanted.has(promptUuid)),
      copies: [],
      foreignOrigin: this.#origin,
      ...this.#facts,
    });
    const { report } = this;
    report.turns.inserted += turnsInserted - notes.new;
    report.turns.updated += turnsUpdated - notes.update;
    report.notes.inserted += notes.new;
    report.notes.updated += notes.update;
    report.chunks.written += chunksWritten;
    report.chunks.reused += vectorsReused;
    await this.#saveBrought(chunksWritten);
    for (const { sessionId } of wanted) if (!this.#noted.has(sessionId)) this.#sessions.add(sessionId);
    report.sessions = this.#sessions.size;
    this.#turns = [];
    this.#marks = [];
    this.#facts = noFacts();
  }

  /** Counts the turns that are not stored. Returns the number of notes among the others. */
  #count(fates: readonly ImportDecision[]): { new: number; update: number } {
    const notes = { new: 0, update: 0 };
    for (const [at, fate] of fates.entries()) {
      const isNote = this.#noted.has(this.#turns[at]?.sessionId ?? "");
      if (fate !== "new" && fate !== "update") this.report[isNote ? "notes" : "turns"][fate] += 1;
      else if (isNote) notes[fate] += 1;
    }
    return notes;
  }

  async #chunked(turns: readonly Turn[]): Promise<WriteBatch["turns"]> {
    if (turns.length === 0) return [];
    const tokenizer = await this.#deps.tokenizer();
    const count = (text: string) => tokenizer.count(text);
    return turns.map((turn) => ({ turn, chunks: chunkText(turn, count, CHUNK_LIMITS) }));
  }
}

function noFates(): Fates {
  return { inserted: 0, updated: 0, known: 0, own: 0, forgotten: 0 };
}

function noFacts(): Facts {
  return { sessions: [], subagents: [], prLinks: [], compactions: [] };
}
