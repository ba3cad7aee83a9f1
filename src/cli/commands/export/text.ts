import { oneLine } from "../../../agents/notices.ts";
import type { Origin } from "../../../domain.ts";
import { chunkHash, encodeVector } from "../../../ingest/import/schema.ts";
import { authorJson } from "../../../recall/telling/origin.ts";
import type { TurnVector } from "../../../store/marks.ts";
import type { ExportedSession, ExportedTurn, MemoryContents } from "../../../store/stored.ts";
import { contentsText } from "../../../text/numbers.ts";
import { mapText } from "../../../turn/grammar.ts";
import type { TurnText } from "../../../turn/text.ts";
import { renderBytes } from "../../terminal/table.ts";
import { safeJson } from "../../terminal/view.ts";

/** The header of an export. */
interface ExportAbout {
  origin: string;
  /** ISO 8601. */
  time: string;
  program: string;
  version: number;
}

/** Removes secrets from a text. Stored texts have none, but this is the last chance before they leave the machine. */
type Clean = (text: string) => string;

/** An export: what to write first, for each session, for each turn, and last. */
export type ExportFormat = ReturnType<typeof jsonLines>;

/** Writes one JSON object per line, as `import` reads them. */
export function jsonLines(clean: Clean) {
  const line = (value: object) => {
    const text = JSON.stringify(value, (_key, item: unknown) =>
      typeof item === "string" ? clean(item) : item,
    );
    return `${safeJson(text)}\n`;
  };
  return {
    head: ({ origin, time, program, version }: ExportAbout) =>
      line({ type: "mementor-export", version, origin, time, program }),
    session: (session: ExportedSession, whose: Origin) => sessionRecords(session, whose).map(line).join(""),
    turn: (turn: ExportedTurn) => line(turnRecord({ ...turn, ...changed(turn, clean) })),
    /** The vectors of a turn, of this model. */
    vectors(turn: ExportedTurn, model: string, vectors: readonly TurnVector[]) {
      // Vectors of a text that is cleaned only now would reveal the removed secret.
      if (vectors.length === 0 || changed(turn, clean).text !== turn.text) return "";
      const chunks = vectors.map(({ start, end, vector }) => ({
        hash: chunkHash(turn.text.slice(start, end)),
        vector: encodeVector(vector),
      }));
      return `${JSON.stringify({ type: "vectors", model, chunks })}\n`;
    },
    // The end counts records; a note has two, a session and a turn.
    end: ({ turns, sessions, notes }: MemoryContents) =>
      line({ type: "end", turns: turns + notes, sessions: sessions + notes }),
  };
}

function sessionRecords({ facts, subagents, prLinks, compactions }: ExportedSession, origin: Origin) {
  const whose = { foreign: origin.foreign, ...authorJson(origin) };
  return [
    {
      type: "session",
      session_id: facts.sessionId,
      client: facts.client ?? null,
      title: facts.title,
      title_source: facts.titleSource,
      first_prompt: facts.firstPrompt,
      automated: facts.automated,
      branch: facts.branch,
      project_dir: facts.projectDir,
      started_at: facts.startedAt,
      ended_at: facts.endedAt,
      ...whose,
    },
    ...subagents.map(({ sessionId, agentId, agentType, task }) => ({
      type: "subagent",
      session_id: sessionId,
      agent_id: agentId,
      agent_type: agentType,
      task,
      ...whose,
    })),
    ...prLinks.map(({ sessionId, prNumber, prUrl, prRepository, timestamp }) => ({
      type: "pr_link",
      session_id: sessionId,
      pr_number: prNumber,
      pr_url: prUrl,
      pr_repository: prRepository,
      time: timestamp,
      ...whose,
    })),
    ...compactions.map(({ sessionId, lineIndex, trigger, preTokens, timestamp }) => ({
      type: "compaction",
      session_id: sessionId,
      line_index: lineIndex,
      trigger,
      pre_tokens: preTokens,
      time: timestamp,
      ...whose,
    })),
  ];
}

/** Applies a change to a turn's text and adjusts its parts. */
function changed(turn: ExportedTurn, change: Clean): TurnText {
  return mapText(turn, change, turn.toolSummary.map(change));
}

function turnRecord(turn: ExportedTurn) {
  return {
    type: "turn",
    turn_id: turn.turnId,
    session_id: turn.sessionId,
    agent_id: turn.agentId,
    line_index: turn.lineIndex < 0 ? null : turn.lineIndex,
    is_sidechain: turn.isSidechain,
    role: turn.role,
    origin: turn.origin,
    text: turn.text,
    parts: turn.parts.map(({ kind, start, end }) => ({ kind, start, end })),
    tools: turn.toolSummary,
    mentions: turn.mentions.map(({ filePath, toolName }) => ({ path: filePath, tool: toolName })),
    commits: turn.commits.map(({ hash, message }) => ({ hash, message })),
    marks: turn.marks.map(({ kind, time }) => ({ kind, time })),
    created_at: turn.createdAt,
    ended_at: turn.endedAt,
    branch: turn.branch,
    cwd: turn.cwd,
    model: turn.model,
    client_version: turn.clientVersion,
    prompt_uuid: turn.promptUuid,
    entry_uuids: turn.entryUuids,
    foreign: turn.foreign,
    ...authorJson(turn),
  };
}

/** What an export wrote. */
export interface ExportReport extends MemoryContents {
  file: string;
  format: "jsonl";
  bytes: number;
}

export function renderExport({ file, bytes, ...held }: ExportReport): string {
  const none = held.turns + held.notes === 0 ? " Nothing in this memory matches." : "";
  return `Wrote ${contentsText(held)} to ${oneLine(file)} (${renderBytes(bytes)}).${none}\n`;
}
