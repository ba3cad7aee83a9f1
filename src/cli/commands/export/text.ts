import { oneLine, printableWords } from "../../../agents/notices.ts";
import type { Origin } from "../../../domain.ts";
import { chunkHash, encodeVector } from "../../../ingest/import/schema.ts";
import { agentLabel, authorJson, ownerLabel } from "../../../recall/telling/origin.ts";
import type { TurnVector } from "../../../store/marks.ts";
import type { ExportedSession, ExportedTurn, MemoryContents } from "../../../store/stored.ts";
import { contentsText } from "../../../text/numbers.ts";
import { renderMinute } from "../../../text/when.ts";
import { mapText } from "../../../turn/grammar.ts";
import { isLabelled, listSections } from "../../../turn/parts.ts";
import type { PartKind, TurnText } from "../../../turn/text.ts";
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

/** A format of exports: what to write first, for each session, for each turn, and last. */
export interface ExportFormat {
  head(about: ExportAbout): string;
  session(session: ExportedSession, whose: Origin): string;
  turn(turn: ExportedTurn): string;
  /** The vectors of a turn, of this model; empty where the format has none. */
  vectors(turn: ExportedTurn, model: string, vectors: readonly TurnVector[]): string;
  end(held: MemoryContents): string;
}

/** One JSON object per line, the format that `import` reads. */
export function jsonLines(clean: Clean): ExportFormat {
  const line = (value: object) => {
    const text = JSON.stringify(value, (_key, item: unknown) =>
      typeof item === "string" ? clean(item) : item,
    );
    return `${safeJson(text)}\n`;
  };
  return {
    head: ({ origin, time, program, version }) =>
      line({ type: "mementor-export", version, origin, time, program }),
    session: (session, whose) => sessionRecords(session, whose).map(line).join(""),
    turn: (turn) => line(turnRecord({ ...turn, ...changed(turn, clean) })),
    vectors(turn, model, vectors) {
      // Of a text that is cleaned only now, the vectors would tell what is taken out.
      if (vectors.length === 0 || changed(turn, clean).text !== turn.text) return "";
      const chunks = vectors.map(({ start, end, vector }) => ({
        hash: chunkHash(turn.text.slice(start, end)),
        vector: encodeVector(vector),
      }));
      return `${JSON.stringify({ type: "vectors", model, chunks })}\n`;
    },
    // The end counts records: each note has one of a session and one of a turn.
    end: ({ turns, sessions, notes }) =>
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

/** A document for people, which agents read, too: no tag in it opens or ends anything. */
export function markdown(clean: Clean): ExportFormat {
  const name = (text: string) => escaped(oneLine(clean(text)));
  return {
    vectors: () => "",
    head: ({ origin, time }) => `# Memory of ${name(origin)}\n\nExported ${renderMinute(time)} UTC.\n`,
    session({ facts, prLinks }, whose) {
      const { sessionId, branch, startedAt, endedAt } = facts;
      const client = facts.client === undefined ? null : agentLabel(facts.client);
      const lines = [
        `Session ${code(sessionId)}`,
        `${renderMinute(startedAt)} to ${renderMinute(endedAt)} UTC`,
        client && name(client),
        branch && `branch ${name(branch)}`,
        name(ownerLabel(whose) ?? ""),
        ...prLinks.map(({ prNumber, prUrl }) => `PR #${prNumber} ${address(clean(prUrl))}`),
      ].filter(Boolean);
      const title = name(facts.title ?? facts.firstPrompt ?? "") || "Untitled session";
      return `\n## ${title}\n\n${lines.map((line) => `- ${line}\n`).join("")}`;
    },
    turn(turn) {
      const facts = [
        turn.agentId && `subagent ${name(turn.agentId)}`,
        turn.role !== "turn" && turn.role.replace("_", " "),
        name(ownerLabel(turn) ?? ""),
      ].filter(Boolean);
      const heading = [`Turn ${turn.turnId}`, `${renderMinute(turn.createdAt)} UTC`, ...facts].join(", ");
      const commits = turn.commits.map(({ hash, message }) => `Commit ${code(hash)}: ${name(message)}`);
      return [
        `\n### ${heading}\n`,
        ...sections(changed(turn, (text) => printableWords(clean(text)))),
        ...commits.map((commit) => `\n${commit}\n`),
      ].join("");
    },
    end: (held) => `\n---\n\n${contentsText(held)}.\n`,
  };
}

const HEADINGS: Readonly<Record<PartKind, string>> = {
  prompt: "User",
  note: "Note by an agent",
  thinking: "Assistant",
  narration: "Assistant",
  answer: "Assistant",
  tools: "Tools",
  errors: "Errors",
  forward: "User",
};

/** Prompts become quotes, tools and errors become code, and the assistant's words stay Markdown. */
function sections(turn: TurnText): string[] {
  return listSections(turn).flatMap((section) => {
    const body = turn.text.slice(section.start, section.end).trim();
    const title = `\n**${HEADINGS[section.kind]}**\n\n`;
    switch (section.kind) {
      case "forward":
        // The next turn contains it.
        return [];
      case "prompt":
      case "note":
        return [`${title}${quoted(escapeTags(body))}\n`];
      case "thinking":
      case "narration":
      case "answer":
        return [`${isLabelled(turn, section) ? title : "\n"}${assistant(body)}\n`];
      default:
        return [`${title}${fenced(body)}\n`];
    }
  });
}

function quoted(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

/** Wraps a text in a fence longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

/** Demotes headings below those of the document, and closes a fence that was left open. */
function assistant(text: string): string {
  let fence: string | null = null;
  const lines = text.split("\n").map((line) => {
    const [, run] = /^\s{0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (run !== undefined && (fence === null || (run.startsWith(fence) && line.trim() === run)))
      fence = fence === null ? run : null;
    else if (fence === null)
      return escapeTags(
        line.replace(/^(#{1,6})(?=\s)/, (marks) => "#".repeat(Math.min(6, marks.length + 3))),
      );
    return line;
  });
  return fence === null ? lines.join("\n") : [...lines, fence].join("\n");
}

/**
 * Makes Markdown safe outside code in backticks: tags are shown as text, opening the document fetches no images, and
 * links lead only to web pages.
 */
function escapeTags(text: string): string {
  return text
    .split(/(`+[^`]*`+)/)
    .map((part, at) => (at % 2 === 1 ? part : inert(part)))
    .join("");
}

function inert(text: string): string {
  return text
    .replace(OTHER_LINK, "$1unsafe:")
    .replace(/<(?=[A-Za-z/!?])/g, "\\<")
    .replace(/!(?=\[)/g, "\\!");
}

/** The start of a link, inline or by reference, with a scheme other than http, https and mailto. */
const OTHER_LINK =
  /(\]\(\s*<?|^[ \t]{0,3}>?[ \t]*\[[^\]\n]{1,200}\]:\s*<?)(?!https?:|mailto:)(?=[a-z][a-z\d+.-]{0,30}:|&)/gim;

/** Renders a web address as a link, and any other address as plain text. */
function address(url: string): string {
  const line = oneLine(url);
  return /^https?:\/\/[^\s<>"'`\\]+$/i.test(line) ? `<${line}>` : escaped(line);
}

/** Renders a text as code in backticks; backticks in it become apostrophes. */
function code(text: string): string {
  return `\`${oneLine(text).replaceAll("`", "'")}\``;
}

function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>#]/g, "\\$&");
}

/** What an export wrote. */
export interface ExportReport extends MemoryContents {
  file: string;
  format: "jsonl" | "markdown";
  bytes: number;
}

export function renderExport({ file, bytes, ...held }: ExportReport): string {
  const none = held.turns + held.notes === 0 ? " Nothing in this memory matches." : "";
  return `Wrote ${contentsText(held)} to ${oneLine(file)} (${renderBytes(bytes)}).${none}\n`;
}
