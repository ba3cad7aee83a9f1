import type { ExportedSession, ExportedTurn } from "../store/export/types.ts";
import { printable } from "../text/printable.ts";
import { mapText } from "../turn/map.ts";
import { isLabelled, sectionsOf } from "../turn/parts.ts";
import type { PartKind, TurnText } from "../turn/text.ts";
import { plural } from "./ingest.ts";
import { safeJson } from "./json.ts";
import { oneLine } from "./list.ts";
import { renderBytes } from "./table.ts";
import { renderMinute } from "./time.ts";

/** What an export says about itself. */
export interface ExportAbout {
  origin: string;
  /** ISO 8601. */
  time: string;
  program: string;
  version: number;
}

/** Takes secrets out of a text, once more on its way out. */
type Clean = (text: string) => string;

/** One way to write a memory down: what comes first, with each session, with each turn, and last. */
export interface ExportFormat {
  head(about: ExportAbout): string;
  session(session: ExportedSession, foreign: string | null): string;
  turn(turn: ExportedTurn): string;
  end(counts: { turns: number; sessions: number }): string;
}

/** One JSON object a line, as `import` reads it. */
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
    session: (session, foreign) => sessionRecords(session, foreign).map(line).join(""),
    turn: (turn) => line(turnRecord({ ...turn, ...changed(turn, clean) })),
    end: (counts) => line({ type: "end", ...counts }),
  };
}

function sessionRecords({ facts, subagents, prLinks, compactions }: ExportedSession, foreign: string | null) {
  return [
    {
      type: "session",
      session_id: facts.sessionId,
      title: facts.title,
      title_source: facts.titleSource,
      first_prompt: facts.firstPrompt,
      automated: facts.automated,
      branch: facts.branch,
      project_dir: facts.projectDir,
      started_at: facts.startedAt,
      ended_at: facts.endedAt,
      foreign,
    },
    ...subagents.map((one) => ({
      type: "subagent",
      session_id: one.sessionId,
      agent_id: one.agentId,
      agent_type: one.agentType,
      task: one.task,
      foreign,
    })),
    ...prLinks.map((one) => ({
      type: "pr_link",
      session_id: one.sessionId,
      pr_number: one.prNumber,
      pr_url: one.prUrl,
      pr_repository: one.prRepository,
      time: one.timestamp,
      foreign,
    })),
    ...compactions.map((one) => ({
      type: "compaction",
      session_id: one.sessionId,
      line_index: one.lineIndex,
      trigger: one.trigger,
      pre_tokens: one.preTokens,
      time: one.timestamp,
      foreign,
    })),
  ];
}

/** The text after a change, with its parts where they are then. */
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
    created_at: turn.createdAt,
    ended_at: turn.endedAt,
    branch: turn.branch,
    cwd: turn.cwd,
    model: turn.model,
    client_version: turn.clientVersion,
    prompt_uuid: turn.promptUuid,
    entry_uuids: turn.entryUuids,
    foreign: turn.foreign,
  };
}

/** A document for people. */
export function markdown(clean: Clean): ExportFormat {
  const name = (text: string) => escaped(oneLine(clean(text)));
  return {
    head: ({ origin, time }) => `# Memory of ${name(origin)}\n\nExported ${renderMinute(time)} UTC.\n`,
    session({ facts, prLinks }, foreign) {
      const { sessionId, branch, startedAt, endedAt } = facts;
      const lines = [
        `Session ${code(sessionId)}`,
        `${renderMinute(startedAt)} to ${renderMinute(endedAt)} UTC`,
        branch && `branch ${name(branch)}`,
        foreign && `imported from ${name(foreign)}`,
        ...prLinks.map(({ prNumber, prUrl }) => `PR #${prNumber} ${address(clean(prUrl))}`),
      ].filter(Boolean);
      const title = name(facts.title ?? facts.firstPrompt ?? "") || "Untitled session";
      return `\n## ${title}\n\n${lines.map((line) => `- ${line}\n`).join("")}`;
    },
    turn(turn) {
      const facts = [
        turn.agentId && `subagent ${name(turn.agentId)}`,
        turn.role !== "turn" && turn.role.replace("_", " "),
        turn.foreign && `imported from ${name(turn.foreign)}`,
      ].filter(Boolean);
      const heading = [`Turn ${turn.turnId}`, `${renderMinute(turn.createdAt)}`, ...facts].join(", ");
      const commits = turn.commits.map(({ hash, message }) => `Commit ${code(hash)}: ${name(message)}`);
      return [
        `\n### ${heading}\n`,
        ...sections(changed(turn, (text) => printable(clean(text)))),
        ...commits.map((one) => `\n${one}\n`),
      ].join("");
    },
    end: ({ turns, sessions }) => `\n---\n\n${plural(turns, "turn")} of ${plural(sessions, "session")}.\n`,
  };
}

const HEADINGS: Readonly<Record<PartKind, string>> = {
  prompt: "User",
  thinking: "Assistant",
  answer: "Assistant",
  tools: "Tools",
  errors: "Errors",
  forward: "User",
};

/** What people said is quoted, what tools said is code, and what the assistant said stays Markdown. */
function sections(turn: TurnText): string[] {
  return sectionsOf(turn).flatMap((section) => {
    const body = turn.text.slice(section.start, section.end).trim();
    const title = `\n**${HEADINGS[section.kind]}**\n\n`;
    switch (section.kind) {
      case "forward":
        // It comes with its own turn.
        return [];
      case "prompt":
        return [`${title}${quoted(escapeTags(body))}\n`];
      case "thinking":
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

/** In a fence that is longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

/** Headings go below those of the document, and a fence that is left open is closed. */
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
 * Tags are shown, not acted on; pictures are not fetched when the document is opened; links go to web pages only. Code
 * in backticks needs no help.
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

/** The start of a link, inline or by reference, to anything but a web page, a mail address or a place without a scheme. */
const OTHER_LINK =
  /(\]\(\s*<?|^\s{0,3}>?\s*\[[^\]\n]{1,200}\]:\s*<?)(?!https?:|mailto:)(?=[a-z][a-z\d+.-]{0,30}:|&)/gim;

/** An address as a link where it is one of the web, else as text that is no link. */
function address(url: string): string {
  const line = oneLine(url);
  return /^https?:\/\/[^\s<>"'`\\]+$/i.test(line) ? `<${line}>` : escaped(line);
}

/** In backticks, without backticks of its own. */
function code(text: string): string {
  return `\`${oneLine(text).replaceAll("`", "'")}\``;
}

function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>#]/g, "\\$&");
}

/** What an export wrote. */
export interface ExportReport {
  file: string;
  format: "jsonl" | "markdown";
  sessions: number;
  turns: number;
  bytes: number;
}

export function renderExport({ file, sessions, turns, bytes }: ExportReport): string {
  return `Wrote ${plural(turns, "turn")} of ${plural(sessions, "session")} to ${oneLine(file)} (${renderBytes(bytes)}).\n`;
}
