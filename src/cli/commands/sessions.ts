import { oneLine } from "../../agents/notices.ts";
import {
  agentLabel,
  originJson,
  otherClient,
  promptOnlyJson,
  promptOnlyWords,
  saidWhere,
} from "../../recall/telling/origin.ts";
import type { SessionSummary } from "../../store/browse.ts";
import { shownName } from "../../text/names.ts";
import { cutToWords } from "../../text/width.ts";
import { sessionName, shortId } from "../../turn/title.ts";
import { defineCommand } from "../command-line/command.ts";
import { allProjectsOption, filterOptions, rows, viewOptions } from "../command-line/option.ts";
import { type Column, type ProjectRow, projectColumn, renderList } from "../terminal/list.ts";
import { renderLocalMinute, renderMore, renderWhen, type Screen } from "../terminal/screen.ts";

export const command = defineCommand({
  name: "sessions",
  help: { group: "Ask", position: 5 },
  summary: "List sessions, the latest first",
  readsTeam: true,
  arguments: {},
  options: {
    limit: rows,
    ...filterOptions(),
    allProjects: allProjectsOption,
    ...viewOptions,
  },
  examples: ['mementor sessions --since "last week"', "mementor sessions --file src/store.ts --json"],
  async run({ options }, runtime) {
    const { printFiltered } = await import("../all-projects.ts");
    return printFiltered(runtime, options, {
      read: async ({ browse }, filter) => {
        const { sessions, total } = await browse.sessions(filter, { limit: options.limit });
        return { rows: sessions, total };
      },
      timeOf: ({ endedAt }) => endedAt,
      json: sessionJson,
      key: "sessions",
      text: (sessions, total, screen) => renderSessions({ sessions, total }, screen),
      command: "show <session> --turns",
    });
  },
});

/** Returns a session for `--json`. */
export function sessionJson(session: SessionSummary) {
  return {
    session_id: session.sessionId,
    client: session.client,
    title: session.title,
    first_prompt: session.firstPrompt,
    automated: session.automated,
    branch: session.branch,
    project_dir: session.projectDir,
    transcript_path: session.transcriptPath,
    started_at: session.startedAt,
    ended_at: session.endedAt,
    turns: session.turns,
    files: session.files,
    foreign: session.foreign,
    ...originJson(session),
    ...promptOnlyJson(session),
  };
}

/** Returns the first and last columns of every list of sessions. */
export function sessionColumns({ style }: Screen): { first: Column[]; last: Column[] } {
  return {
    first: [
      { title: "SESSION", paint: style.cyan },
      { title: "TITLE", cut: "end", maxWidth: 100 },
    ],
    last: [
      { title: "LAST", isOptional: true, paint: style.dim },
      { title: "BRANCH", maxWidth: 24, isOptional: true, paint: style.dim },
      { title: "TURNS", align: "right", isOptional: true },
      { title: "FILES", align: "right", isOptional: true },
    ],
  };
}

/** Returns a session's cells for `sessionColumns`. */
export function sessionCells(session: SessionSummary, { now }: Screen): { first: string[]; last: string[] } {
  const marks = [
    otherClient(session.client),
    session.automated && "automated",
    session.author === null && session.foreign !== null
      ? `from ${shownName(session.foreign)}`
      : saidWhere(session),
    promptOnlyWords(session),
  ].filter(Boolean);
  const name = marks.length > 0 ? `[${marks.join(", ")}] ${sessionName(session)}` : sessionName(session);
  return {
    first: [shortId(session.sessionId), name],
    last: [renderWhen(session.endedAt, now), session.branch ?? "", `${session.turns}`, `${session.files}`],
  };
}

/** Renders a list of sessions for a terminal. */
export function renderSessions(
  { sessions, total }: { sessions: readonly (SessionSummary & ProjectRow)[]; total: number },
  screen: Screen,
): string {
  if (sessions.length === 0) return "No sessions.\n";
  const { first, last } = sessionColumns(screen);
  const project = projectColumn(sessions);
  const rows = sessions.map((session) => {
    const cells = sessionCells(session, screen);
    return [...project.cells(session), ...cells.first, ...cells.last];
  });
  return (
    renderList([...project.columns, ...first, ...last], rows, screen) +
    renderMore(sessions.length, total, "session", screen)
  );
}

/** Width of a session's name above its turns in a pipe, in columns. */
const HEADING_WIDTH = 120;

/** Renders the heading of a session. */
export function renderSessionHeading(
  session: SessionSummary,
  { style, width }: Pick<Screen, "style" | "width">,
): string {
  const { sessionId, client, branch, startedAt, endedAt, automated } = session;
  const facts = [
    `session ${sessionId}`,
    agentLabel(client),
    branch && `on ${branch}`,
    automated && "automated",
    saidWhere(session),
    promptOnlyWords(session),
  ];
  const times = `${renderLocalMinute(startedAt)} to ${renderLocalMinute(endedAt)}`;
  const line = oneLine(facts.filter(Boolean).join(", "));
  const name = cutToWords(style.text(oneLine(sessionName(session))), width ?? HEADING_WIDTH, style.ellipsis);
  return `${style.bold(name)}\n${style.dim(`${line}\n${times}`)}\n\n`;
}
