import type { Turn } from "../../../domain.ts";
import type { Clean } from "../../../redact/gate.ts";
import type { WriteBatch } from "../../types.ts";
import {
  coveredLines,
  type Existing,
  type Fate,
  isElsewhere,
  isOwnFile,
  lineOf,
  mayBecome,
  type PlacedTurn,
  type Source,
} from "../../write/placing.ts";
import type { ProjectDatabase } from "../query.ts";
import { json } from "../text.ts";

interface Row extends Existing {
  sessionId: string;
  agentId: string | null;
}

/** Reads the caller's stored turns that turns of the batch may be, and those of the lines that the batch covers. */
export function candidates(
  database: ProjectDatabase,
  source: Source,
  batch: Clean<WriteBatch>,
): Promise<Row[]> {
  const turns = batch.turns.map(({ turn }) => ({
    session_id: turn.sessionId,
    agent_id: turn.agentId ?? "",
    line_index: turn.lineIndex,
    prompt_uuid: turn.promptUuid,
  }));
  const covered = coveredLines(batch).map(({ sessionId, agentId, from, to }) => ({
    session_id: sessionId,
    agent_id: agentId ?? "",
    first: from,
    last: to,
  }));
  const own = "t.project_id = :project AND t.author = current_user";
  const same = "t.session_id = b.session_id AND coalesce(t.agent_id, '') = b.agent_id";
  return database.all<Row>(
    `WITH b AS MATERIALIZED (SELECT * FROM json_to_recordset(?::text::json)
         AS b (session_id text, agent_id text, line_index bigint, prompt_uuid text)),
       c AS MATERIALIZED (SELECT * FROM json_to_recordset(?::text::json)
         AS c (session_id text, agent_id text, first bigint, last bigint)),
       found AS (
         SELECT t.turn_id FROM b JOIN mementor.turns t ON ${own} AND ${same} AND t.line_index = b.line_index
         UNION SELECT t.turn_id FROM b JOIN mementor.turns t ON ${own} AND ${same} AND t.prompt_uuid = b.prompt_uuid
         UNION SELECT t.turn_id FROM b JOIN mementor.turns t ON ${own} AND ${same} AND b.prompt_uuid IS NULL
           AND t.prompt_uuid IS NULL AND (t.source_id = ? AND t.line_index IS NULL OR t.source_id IS NULL)
         UNION SELECT t.turn_id FROM c JOIN mementor.turns t ON ${own} AND t.source_id = ?
           AND t.session_id = c.session_id AND coalesce(t.agent_id, '') = c.agent_id
           AND t.line_index >= c.first AND t.line_index < c.last)
     SELECT t.turn_id AS id, t.source_id AS "sourceId", t.line_index AS "lineIndex", t.provisional,
       t.prompt_uuid AS "promptUuid", t.full_text AS text, t.session_id AS "sessionId", t.agent_id AS "agentId"
     FROM found JOIN mementor.turns t ON t.project_id = :project AND t.turn_id = found.turn_id ORDER BY t.turn_id`,
    json(turns),
    json(covered),
    source.id,
    source.id,
  );
}

/** The stored turns while a batch is placed, as its turns before left them. Nothing is written here. */
export class Places {
  /** Rows that go, lose their line, or get the line of a turn of which they know more. */
  readonly removed = new Set<number>();
  readonly released = new Set<number>();
  readonly restored = new Map<number, Clean<Turn>>();
  readonly #rows: Map<number, Row>;
  readonly #source: Source;

  constructor(rows: readonly Row[], source: Source) {
    this.#rows = new Map(rows.map((row) => [row.id, row]));
    this.#source = source;
  }

  /** Decides what becomes of the turns of the covered lines. */
  releaseMissing(batch: Clean<WriteBatch>, fateOf: (row: Row, thread: Row) => Fate): void {
    const covered = coveredLines(batch);
    const isCovered = ({ sourceId, lineIndex, sessionId, agentId }: Row) =>
      sourceId === this.#source.id &&
      lineIndex !== null &&
      covered.some(
        (lines) =>
          lines.sessionId === sessionId &&
          lines.agentId === agentId &&
          lineIndex >= lines.from &&
          lineIndex < lines.to,
      );
    for (const row of [...this.#rows.values()].filter(isCovered)) {
      const fate = fateOf(row, row);
      if (fate === "released") this.#release(row);
      if (fate !== "removed") continue;
      this.removed.add(row.id);
      this.#rows.delete(row.id);
    }
  }

  /** Finds the row of a turn: that of the same prompt or, failing that, at the same place; else a new one. */
  async place(
    turn: Clean<Turn>,
    { newId, hasMore }: { newId: () => number; hasMore: (id: number) => Promise<boolean> },
  ): Promise<PlacedTurn> {
    const thread = [...this.#rows.values()].filter(
      (row) => row.sessionId === turn.sessionId && (row.agentId ?? "") === (turn.agentId ?? ""),
    );
    const occupant = this.#occupant(thread, turn);
    const same =
      samePrompt(thread, turn) ??
      (occupant !== null && mayBecome(occupant, turn) ? occupant : this.#sameText(thread, turn));
    if (occupant !== null && occupant.id !== same?.id) this.#release(occupant);
    if (same !== null && isElsewhere(same, this.#source) && (await hasMore(same.id))) {
      if (same.lineIndex === null) this.#putBack(same, turn);
      return { id: same.id, inserted: false, textChanged: false, kept: true };
    }
    const id = same?.id ?? newId();
    this.#rows.set(id, this.#rowOf(id, turn, same));
    return { id, inserted: same === null, textChanged: same?.text !== turn.text, kept: false };
  }

  #occupant(thread: readonly Row[], turn: Clean<Turn>): Row | null {
    if (turn.lineIndex < 0) return null;
    const here = thread.filter((row) => row.lineIndex === turn.lineIndex);
    const owned = here.find((row) => row.sourceId === this.#source.id);
    const unknown = isOwnFile(this.#source.path, turn)
      ? here.find((row) => row.sourceId === null)
      : undefined;
    return owned ?? unknown ?? null;
  }

  // Without the uuid of its prompt, a turn that lost its line or its file is recognised by its text.
  #sameText(thread: readonly Row[], turn: Clean<Turn>): Row | null {
    if (turn.promptUuid !== null) return null;
    const isLost = (row: Row) =>
      (row.sourceId === this.#source.id && row.lineIndex === null) || row.sourceId === null;
    return thread.find((row) => row.promptUuid === null && isLost(row) && row.text === turn.text) ?? null;
  }

  #release(row: Row): void {
    this.released.add(row.id);
    this.#rows.set(row.id, { ...row, lineIndex: null, provisional: false });
  }

  #putBack(row: Row, turn: Clean<Turn>): void {
    this.restored.set(row.id, turn);
    const { provisional } = turn;
    this.#rows.set(row.id, { ...row, lineIndex: lineOf(turn), sourceId: this.#source.id, provisional });
  }

  #rowOf(id: number, turn: Clean<Turn>, before: Row | null): Row {
    const { text, sessionId, agentId, provisional } = turn;
    const promptUuid = turn.promptUuid ?? before?.promptUuid ?? null;
    const place = { lineIndex: lineOf(turn), sourceId: this.#source.id };
    return { id, ...place, provisional, promptUuid, text, sessionId, agentId };
  }
}

function samePrompt(thread: readonly Row[], turn: Clean<Turn>): Row | null {
  if (turn.promptUuid === null) return null;
  const same = thread.filter((row) => row.promptUuid === turn.promptUuid);
  return same.sort((a, b) => (b.lineIndex ?? -1) - (a.lineIndex ?? -1))[0] ?? null;
}
