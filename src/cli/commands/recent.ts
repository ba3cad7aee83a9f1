import {
  originJson,
  otherClient,
  promptOnlyJson,
  promptOnlyWords,
  saidWhere,
} from "../../recall/telling/origin.ts";
import { senderLabel } from "../../recall/telling/speaker.ts";
import type { Runtime } from "../../runtime.ts";
import type { SessionSummary, TurnSummary } from "../../store/browse.ts";
import { shortId } from "../../turn/title.ts";
import type { ListOptions } from "../all-projects.ts";
import { defineCommand } from "../command-line/command.ts";
import { allProjectsOption, filterOptions, rows, viewOptions } from "../command-line/option.ts";
import { type ProjectRow, projectColumn, renderList } from "../terminal/list.ts";
import { renderLocalMinute, renderMore, renderWhen, type Screen } from "../terminal/screen.ts";
import { renderSessionHeading } from "./sessions.ts";

export const command = defineCommand({
  name: "recent",
  help: { group: "Ask", position: 4 },
  summary: "List the latest turns",
  readsTeam: true,
  arguments: {},
  options: { limit: rows, ...filterOptions(), allProjects: allProjectsOption, ...viewOptions },
  examples: ["mementor recent", "mementor recent --branch main -n 5", "mementor recent --all-projects"],
  run: ({ options }, runtime) => listLatest(runtime, options),
});

/** Lists the latest turns, of one memory or of all. Returns the exit code. */
export async function listLatest(runtime: Runtime, options: ListOptions & { allProjects?: boolean }) {
  const { printFiltered } = await import("../all-projects.ts");
  return printFiltered(runtime, options, {
    read: async ({ browse }, filter) => ({
      rows: await browse.recent(options.limit, filter),
      total: await browse.count("turns", { filter }),
    }),
    timeOf: ({ createdAt }) => createdAt,
    json: turnSummaryJson,
    key: "turns",
    text: (turns, total, screen) => renderRecent({ turns, total, isMain: !options.agent }, screen),
    command: "show <turn>",
  });
}

/** Returns a listed turn for `--json`. */
export function turnSummaryJson(turn: TurnSummary) {
  return {
    turn_id: turn.turnId,
    session_id: turn.sessionId,
    client: turn.client,
    session_title: turn.sessionTitle,
    agent_id: turn.agentId,
    line_index: turn.lineIndex,
    provisional: turn.provisional,
    role: turn.role,
    origin: turn.origin,
    first_words: turn.firstWords,
    time: turn.createdAt,
    ended_at: turn.endedAt,
    branch: turn.branch,
    tool_calls: turn.toolCalls,
    files: turn.files,
    foreign: turn.foreign,
    ...originJson(turn),
    ...promptOnlyJson(turn),
  };
}

/** Returns a turn's title, preceded by its kind if it is not an ordinary turn of the main conversation. */
export function wordsOfTurn(turn: TurnSummary, ...more: readonly string[]): string {
  const { client, role, origin, agentId, title } = turn;
  const marks = [
    ...[otherClient(client) ?? []].flat(),
    ...[saidWhere(turn) ?? []].flat(),
    ...[promptOnlyWords(turn) ?? []].flat(),
    ...(role === "turn" ? [] : [role.replace("_", " ")]),
    ...(agentId === null ? [senderLabel({ origin }) ?? []].flat() : []),
    ...(agentId === null ? [] : [`subagent ${agentId}`]),
    ...more,
  ];
  return marks.length === 0 ? title : `[${marks.join(", ")}] ${title}`;
}

/** Renders a session's turns for a terminal. */
export function renderTurns(session: SessionSummary, turns: readonly TurnSummary[], screen: Screen): string {
  const { style } = screen;
  const table = renderList(
    [
      { title: "TURN", align: "right", paint: style.cyan },
      { title: "PROMPT", cut: "end", maxWidth: 120 },
      { title: "TIME", isOptional: true, paint: style.dim },
      { title: "TOOLS", align: "right", isOptional: true },
      { title: "FILES", align: "right", isOptional: true },
    ],
    turns.map((turn) => [
      `${turn.turnId}`,
      wordsOfTurn(
        turn,
        ...(turn.sessionId === session.sessionId ? [] : [`kept in ${shortId(turn.sessionId)}`]),
      ),
      renderLocalMinute(turn.createdAt),
      `${turn.toolCalls}`,
      `${turn.files.length}`,
    ]),
    screen,
  );
  return renderSessionHeading(session, screen) + (turns.length === 0 ? "No turns.\n" : table);
}

interface Recent {
  turns: readonly (TurnSummary & ProjectRow)[];
  total: number;
  /** True if those of subagents are left out. */
  isMain: boolean;
}

/** Renders the latest turns for a terminal. */
function renderRecent({ turns, total, isMain }: Recent, screen: Screen): string {
  if (turns.length === 0) return "No turns.\n";
  const { style, now } = screen;
  const project = projectColumn(turns);
  const list = renderList(
    [
      ...project.columns,
      { title: "TURN", align: "right", paint: style.cyan },
      { title: "PROMPT", cut: "end", maxWidth: 120 },
      { title: "WHEN", isOptional: true, paint: style.dim },
      { title: "BRANCH", maxWidth: 24, isOptional: true, paint: style.dim },
      { title: "SESSION", isOptional: true, paint: style.dim },
    ],
    turns.map((turn) => [
      ...project.cells(turn),
      `${turn.turnId}`,
      wordsOfTurn(turn),
      renderWhen(turn.createdAt, now),
      turn.branch ?? "",
      shortId(turn.sessionId),
    ]),
    screen,
  );
  return list + renderMore(turns.length, total, "turn", screen, isMain ? "subagents left out" : "");
}
