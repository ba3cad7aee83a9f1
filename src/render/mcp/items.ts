import type { ProjectName } from "../../project/memories.ts";
import type { PathTouch } from "../../search/file-history.ts";
import type { RatedHit } from "../../search/search.ts";
import type { SessionSummary, TurnSummary } from "../../store/contract/types/browse.ts";
import type { StoredTurn } from "../../store/contract/types/stored.ts";
import { truncateGraphemes } from "../../text/graphemes.ts";
import type { PartKind } from "../../turn/text.ts";
import { heldWith, heldWithWhom, otherClient } from "../client.ts";
import { quoted } from "../hooks/injected.ts";
import { type Origin, originOf } from "../origin.ts";
import { plural } from "../plural.ts";
import { sessionName } from "../session-name.ts";
import { renderMinute } from "../time.ts";
import { quotable } from "./answer.ts";
import { type AnswerItem, cutToTokens, itemTokens } from "./budget.ts";

/** Maximum length of a title or first words, in grapheme clusters. */
const TITLE_GRAPHEMES = 90;
/** Maximum number of files in a turn's row. */
const MAX_FILES = 8;
const MIN_PASSAGE_TOKENS = 30;

type Source = Pick<
  StoredTurn,
  "turnId" | "sessionId" | "sessionTitle" | "agentId" | "createdAt" | "branch" | "foreign" | "author"
> & { client?: string; origin?: string };

/** Returns a row's text in one line of bounded length. */
function line(text: string | null): string | null {
  return text === null
    ? null
    : truncateGraphemes(quotable(text).replace(/\s+/g, " ").trim(), TITLE_GRAPHEMES);
}

/** Returns where a turn comes from, as a line and as data without unknown values. */
export function sourceOf(turn: Source): { text: string; data: Record<string, unknown> } {
  const title = line(turn.sessionTitle);
  const { client = "claude-code" } = turn;
  const other = otherClient(client);
  const facts = [
    `turn ${turn.turnId}`,
    `${renderMinute(turn.createdAt)} UTC`,
    `session ${turn.sessionId}${title === null ? "" : ` "${title}"`}`,
    turn.branch && `branch ${line(turn.branch)}`,
    heldWithWhom({ ...turn, client }),
    turn.agentId && `by subagent ${line(turn.agentId)}`,
    line(originOf(turn)),
  ];
  return {
    text: facts.filter(Boolean).join(" · "),
    data: known({
      turn_id: turn.turnId,
      time: turn.createdAt,
      session_id: turn.sessionId,
      session_title: title,
      branch: line(turn.branch),
      client: other === null ? null : client,
      agent_id: line(turn.agentId),
      ...whose(turn),
    }),
  };
}

/** Whose a row is, as data. */
function whose({ author, foreign }: Origin): Record<string, string | null> {
  return author === null ? { imported_from: line(foreign) } : { author: line(author) };
}

/** Names the project of a row, in an answer over several. */
export function ofProject<Row extends { text: string; data: Record<string, unknown> }>(
  { text, data, ...rest }: Row,
  project: ProjectName | undefined,
) {
  if (project === undefined) return { text, data, ...rest };
  const named = { project: quotable(project.name), project_path: quotable(project.root) };
  return { ...rest, text: `project ${line(project.name)} · ${text}`, data: { ...named, ...data } };
}

/** Removes null values. */
function known(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
}

/** A search result: what the turn says on the query, and the passage around it, truncated so that the item takes at most `tokens`. */
export function hitItem(
  { turn, sources, statement, passage, confidence }: RatedHit,
  tokens: number,
  project?: ProjectName,
): AnswerItem {
  const source = ofProject(sourceOf(turn), project);
  const isWhole = statement === null || statement.text === passage.trim();
  const said = isWhole ? null : { text: quotable(statement.text).trim(), kind: statement.kind };
  const item = (quote: string): AnswerItem => ({
    text: [
      `${source.text} · ${confidence} · found by ${sources.join(", ")}`,
      ...(said === null ? [] : [saidHeading(said.kind), quoted(said.text), "Around it:"]),
      quoted(quote),
    ].join("\n"),
    data: {
      ...source.data,
      confidence,
      found_by: sources,
      ...(said !== null && { statement: said }),
      passage: quote,
    },
  });
  const room = Math.max(MIN_PASSAGE_TOKENS, tokens - itemTokens(item("")));
  return item(cutToTokens(quotable(passage).trim(), room));
}

/** What stands above the statement of a result. Nobody was told what was only thought. */
function saidHeading(kind: PartKind): string {
  return kind === "thinking" ? "In short, as it was thought:" : "In short:";
}

/** A session as a row of a list. */
export function sessionItem(session: SessionSummary): AnswerItem {
  const name = line(sessionName(session)) ?? "(untitled)";
  const { sessionId, startedAt, endedAt, turns, files } = session;
  const other = otherClient(session.client);
  const facts = [
    `session ${sessionId}`,
    `"${name}"`,
    `${renderMinute(startedAt)} to ${renderMinute(endedAt)} UTC`,
    session.branch && `branch ${line(session.branch)}`,
    heldWith(session.client),
    `${plural(turns, "turn")}, ${plural(files, "file")}`,
    session.automated && "automated",
    line(originOf(session)),
  ];
  return {
    text: facts.filter(Boolean).join(" · "),
    data: known({
      session_id: sessionId,
      title: name,
      started_at: startedAt,
      ended_at: endedAt,
      branch: line(session.branch),
      client: other === null ? null : session.client,
      turns,
      files,
      automated: session.automated || null,
      ...whose(session),
    }),
  };
}

/** A turn as a row of a list: its first words, and the files that it touched. */
export function turnItem(turn: TurnSummary): AnswerItem {
  const source = sourceOf(turn);
  const files = turn.files.slice(0, MAX_FILES).map(quotable);
  const more = turn.files.length - files.length;
  const touched = files.length === 0 ? "" : `\nfiles: ${files.join(", ")}${more > 0 ? `, ${more} more` : ""}`;
  const began = line(turn.firstWords) ?? "";
  return {
    text: `${source.text}\n${quoted(began)}${touched}`,
    data: { ...source.data, began, files, ...(more > 0 && { more_files: more }) },
  };
}

/** A touch of a file as a row of the file's history. */
export function touchItem(touch: PathTouch): AnswerItem {
  const source = sourceOf(touch);
  const began = line(touch.firstWords) ?? "";
  const path = quotable(touch.path);
  return {
    text: `${source.text} · ${touch.toolNames.join(", ")} ${path}\n${quoted(began)}`,
    data: { ...source.data, path, tools: touch.toolNames, began },
  };
}
