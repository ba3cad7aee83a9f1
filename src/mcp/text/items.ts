import { NOTE } from "../../constants.ts";
import type { ProjectName } from "../../project/memories.ts";
import type { PathTouch } from "../../recall/file-history.ts";
import type { RatedHit } from "../../recall/search.ts";
import {
  type AgentText,
  type AnswerItem,
  agentData,
  itemTokens,
  joinText,
  named,
  quoteLines,
  type RowWriter,
  rewordText,
  tell,
  textOfRow,
  withFacts,
} from "../../recall/telling/agent-text.ts";
import {
  agentLabel,
  heldWithWhom,
  otherClient,
  promptOnlyWords,
  shownDevice,
} from "../../recall/telling/origin.ts";
import { nextWords, withSenders } from "../../recall/telling/said.ts";
import { speakerLabel } from "../../recall/telling/speaker.ts";
import type { SessionSummary, TurnSummary } from "../../store/browse.ts";
import type { StoredTurn } from "../../store/stored.ts";
import { truncateGraphemes } from "../../text/cut.ts";
import { plural } from "../../text/numbers.ts";
import { renderMinute } from "../../text/when.ts";
import { sessionName } from "../../turn/title.ts";
import { cutToTokens, quotable } from "./answer.ts";

/** Maximum length of a title or first words, in grapheme clusters. */
const TITLE_GRAPHEMES = 90;
/** Maximum number of files in a turn's row. */
const MAX_FILES = 8;
const MIN_PASSAGE_TOKENS = 30;

type Source = Pick<
  StoredTurn,
  | ("turnId" | "sessionId" | "sessionTitle" | "agentId" | "createdAt" | "branch" | "foreign" | "author")
  | ("client" | "origin" | "promptOnly" | "device")
>;

/** Returns a row's text in one line of bounded length. */
function line(text: string | null): string | null {
  return text === null
    ? null
    : truncateGraphemes(quotable(text).replace(/\s+/g, " ").trim(), TITLE_GRAPHEMES);
}

/** Returns where a turn comes from, as a line and as data without unknown values. */
export function describeSource(turn: Source): AnswerItem {
  const { client } = turn;
  const other = otherClient(client);
  return {
    text: textOfRow(turn, (telling) => sourceText(turn, telling)),
    data: agentData(
      turn,
      known({
        turn_id: turn.turnId,
        time: turn.createdAt,
        session_id: turn.sessionId,
        session_title: line(turn.sessionTitle),
        branch: line(turn.branch),
        client: other === null ? null : client,
        note_by: client === NOTE.client && turn.origin === "agent" ? "agent" : null,
        agent_id: line(turn.agentId),
        device: turn.device === undefined ? null : shownDevice(turn.device),
      }),
    ),
  };
}

/** Returns a turn's source and owner on one line. */
function sourceText(turn: Source, { say, whose }: RowWriter): AgentText {
  const title = line(turn.sessionTitle);
  const session = tell`session ${named(turn.sessionId)}`;
  const held = heldWithWhom(turn);
  const facts = [
    tell`turn ${turn.turnId}`,
    tell`${named(renderMinute(turn.createdAt))} UTC`,
    title === null ? session : tell`${session} "${say(title)}"`,
    ...renderIfPresent(turn.branch, (branch) => tell`branch ${say(branch)}`),
    ...(held === null ? [] : [named(held)]),
    ...renderIfPresent(promptOnlyWords(turn), (words) => tell`${named(words)}`),
    ...renderIfPresent(turn.agentId, (id) => tell`by subagent ${say(id)}`),
    ...saidOnDevice(turn.device),
    ...whose().map((name) => rewordText(name, cleanName)),
  ];
  return joinText(facts, " · ");
}

/** Renders a value on one line; nothing for a missing or empty one. */
function renderIfPresent(value: string | null, tellOf: (value: string) => AgentText): AgentText[] {
  const shown = value === null || value === "" ? null : line(value);
  return shown === null ? [] : [tellOf(shown)];
}

/** Names the user's other device where a row was said. */
function saidOnDevice(device: string | undefined): AgentText[] {
  return device === undefined ? [] : [tell`said on ${named(shownDevice(device))}`];
}

function cleanName(name: string): string {
  return line(name) ?? "";
}

/** Names the project of a row, in an answer over several. */
function ofProject({ text, data }: AnswerItem, project: ProjectName | undefined): AnswerItem {
  if (project === undefined) return { text, data };
  const facts = { project: quotable(project.name), project_path: quotable(project.root) };
  return {
    text: tell`project ${named(cleanName(project.name))} · ${text}`,
    data: withFacts(data, {}, facts),
  };
}

/** Removes null values. */
function known(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
}

/** Renders a search result: the turn's statement on the query and the passage around it, truncated to `tokens`. */
export function hitItem(
  { turn, sources, quoted: quotedOf, confidence }: RatedHit,
  tokens: number,
  project?: ProjectName,
): AnswerItem {
  const { passage, statement } = quotedOf();
  const source = ofProject(describeSource(turn), project);
  const isWhole = statement === null || statement.text === passage.trim();
  const said = isWhole ? null : { text: quotable(statement.text).trim(), kind: statement.kind };
  const speaker = statement === null ? "" : speakerLabel(statement);
  const next = statement && nextWords(statement);
  const item = (quote: string): AnswerItem => ({
    text: textOfRow(turn, ({ say, whose }) => {
      whose(); // The source names it.
      return joinText(
        [
          tell`${source.text} · ${named(confidence)}`,
          ...(said === null ? [] : [saidHeading(speaker), quoteLines(say(said.text))]),
          ...(next === null ? [] : [quoteLines(tell`${named(next.speaker)}: ${say(next.words)}`)]),
          ...(quote === "" ? [] : [...(said === null ? [] : [tell`Around it:`]), quoteLines(say(quote))]),
        ],
        "\n",
      );
    }),
    data: withFacts(source.data, {
      confidence,
      found_by: sources,
      ...(said !== null && { statement: { ...said, by: speaker } }),
      ...(next !== null && { next: `${next.speaker}: ${next.words}` }),
      passage: quote,
    }),
  });
  const room = Math.max(MIN_PASSAGE_TOKENS, tokens - itemTokens(item("")));
  return item(cutToTokens(quotable(withSenders(passage, turn)).trim(), room));
}

/** Returns the heading of a result's statement: its speaker. */
function saidHeading(speaker: string): AgentText {
  return tell`In short, ${named(cleanName(speaker))}:`;
}

/** A session as a row of a list. */
export function sessionItem(session: SessionSummary): AnswerItem {
  const name = line(sessionName(session)) ?? "(untitled)";
  const { sessionId, startedAt, endedAt, turns, files } = session;
  const other = otherClient(session.client);
  const held = agentLabel(session.client);
  const text = textOfRow(session, ({ say, whose }) =>
    joinText(
      [
        tell`session ${named(sessionId)}`,
        tell`"${say(name)}"`,
        tell`${named(renderMinute(startedAt))} to ${named(renderMinute(endedAt))} UTC`,
        ...renderIfPresent(session.branch, (branch) => tell`branch ${say(branch)}`),
        ...(held === null ? [] : [named(held)]),
        tell`${named(plural(turns, "turn"))}, ${named(plural(files, "file"))}`,
        ...(session.automated ? [tell`automated`] : []),
        ...saidOnDevice(session.device),
        ...whose().map((each) => rewordText(each, cleanName)),
      ],
      " · ",
    ),
  );
  const facts = known({
    session_id: sessionId,
    title: name,
    started_at: startedAt,
    ended_at: endedAt,
    branch: line(session.branch),
    client: other === null ? null : session.client,
    turns,
    files,
    automated: session.automated || null,
    device: session.device === undefined ? null : shownDevice(session.device),
  });
  return { text, data: agentData(session, facts) };
}

/** A turn as a row of a list: its first words, and the files that it touched. */
export function turnItem(turn: TurnSummary): AnswerItem {
  const source = describeSource(turn);
  const files = turn.files.slice(0, MAX_FILES).map(quotable);
  const more = turn.files.length - files.length;
  const began = line(turn.firstWords) ?? "";
  const text = textOfRow(turn, ({ say, whose }) => {
    whose(); // The source names it.
    const rest = more > 0 ? tell`, ${more} more` : tell``;
    const touched = files.length === 0 ? tell`` : tell`\nfiles: ${named(files.join(", "))}${rest}`;
    return tell`${source.text}\n${quoteLines(say(began))}${touched}`;
  });
  return { text, data: withFacts(source.data, { began, files, ...(more > 0 && { more_files: more }) }) };
}

/** A touch of a file as a row of the file's history. */
export function touchItem(touch: PathTouch): AnswerItem {
  const source = describeSource(touch);
  const began = line(touch.firstWords) ?? "";
  const path = quotable(touch.path);
  const text = textOfRow(touch, ({ say, whose }) => {
    whose(); // The source names it.
    const what = tell`${named(touch.toolNames.join(", "))} ${named(path)}`;
    return tell`${source.text} · ${what}\n${quoteLines(say(began))}`;
  });
  return { text, data: withFacts(source.data, { path, tools: touch.toolNames, began }) };
}
