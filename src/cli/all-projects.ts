import type { ProjectMemory } from "../project/memories.ts";
import { filtersIn } from "../recall/across/filter.ts";
import { namedFrom, type ReadEach, readEach, refuseDatabase } from "../recall/across/memories.ts";
import {
  coverageJson,
  type OfProject,
  projectJson,
  renderCoverage,
  renderPrograms,
} from "../render/across.ts";
import { programFor } from "../render/program.ts";
import { renderMore, type Screen } from "../render/screen.ts";
import type { Runtime } from "../runtime.ts";
import type { TypedFilter } from "../store/filter.ts";
import type { SqliteStore } from "../store/sqlite/sqlite.ts";
import { renderRecent, turnSummaryJson } from "./commands/recent/text.ts";
import { renderSessions, sessionJson } from "./commands/sessions/text.ts";
import { answersOf } from "./commands/told/answers.ts";
import { type Answer, answerJson, renderAnswers } from "./commands/told/text.ts";
import { renderJson } from "./json.ts";
import { printPaged } from "./terminal/pager.ts";
import { screenOf } from "./terminal/view.ts";

type Options = TypedFilter & { limit: number; json: boolean; pager: boolean };

/** How a kind of list is read in one memory, and shown for all. */
interface ListOf<Row> {
  /** The rows of one memory, latest first, at most as many as are shown; and how many it has in total. */
  read: (store: SqliteStore, project: ProjectMemory) => Promise<{ rows: Row[]; total: number }>;
  /** ISO 8601; rows without a time come last. */
  timeOf: (row: Row) => string | null;
  json: (row: Row) => object;
  /** The name of the list in JSON. */
  key: string;
  text: (rows: readonly (Row & OfProject)[], total: number, screen: Screen) => string;
  /** The command that shows a row. */
  command: string;
  /** Throws, when all memories were read, for what none of them knows. */
  settle?: () => void;
}

/** Lists the latest turns of all projects. */
export async function listRecent(runtime: Runtime, options: Options): Promise<number> {
  const filters = await filtersIn(options, runtime, runtime.host.cwd);
  return printList(runtime, options, {
    read: async (store, project) => {
      const wanted = await filters.of(store, project);
      return {
        rows: await store.browse.recent(options.limit, wanted),
        total: await store.browse.count("turns", { filter: wanted }),
      };
    },
    timeOf: ({ createdAt }) => createdAt,
    json: turnSummaryJson,
    key: "turns",
    text: (turns, total, screen) => renderRecent({ turns, total, isMain: !options.agent }, screen),
    command: "show <turn>",
    settle: () => filters.settle(),
  });
}

/** Lists the sessions of all projects. */
export async function listSessions(runtime: Runtime, options: Options): Promise<number> {
  const filters = await filtersIn(options, runtime, runtime.host.cwd);
  return printList(runtime, options, {
    read: async (store, project) => {
      const found = await store.browse.sessions(await filters.of(store, project), { limit: options.limit });
      return { rows: found.sessions, total: found.total };
    },
    timeOf: ({ endedAt }) => endedAt,
    json: sessionJson,
    key: "sessions",
    text: (sessions, total, screen) => renderSessions({ sessions, total }, screen),
    command: "show <session> --turns",
    settle: () => filters.settle(),
  });
}

/** Lists the answers of hooks in all projects. Answers that wait for another project's worker are not in its memory yet. */
export async function listAnswers(
  runtime: Runtime,
  options: { limit: number; session?: string | undefined; json: boolean; pager: boolean },
): Promise<number> {
  const query = { limit: options.limit, sessionId: options.session };
  return printList<Answer>(runtime, options, {
    read: async (store) => ({
      rows: await answersOf(store, query),
      total: await store.journal.countAnswers(query),
    }),
    timeOf: ({ time }) => time,
    json: answerJson,
    key: "answers",
    text: (rows, total, screen) =>
      renderAnswers(rows, screen) + renderMore(rows.length, total, "answer", screen),
    command: "told <number>",
  });
}

async function printList<Row extends object>(
  runtime: Runtime,
  { limit, json, pager }: { limit: number; json: boolean; pager: boolean },
  list: ListOf<Row>,
): Promise<number> {
  const { host } = runtime;
  refuseDatabase(runtime);
  const { read, leftOut } = await readEach(runtime, list.read);
  list.settle?.();
  const lists = read.map(({ project, result }) => ({ project, result: result.rows }));
  const rows = latestOfAll(lists, list.timeOf).slice(0, limit);
  const coverage = { searched: read.length, byWords: [], leftOut };
  const total = read.reduce((sum, { result }) => sum + result.total, 0);
  if (json) {
    const { by_words: _, ...where } = coverageJson(coverage);
    const listed = rows.map(({ row, project }) => ({ ...list.json(row), ...projectJson(project) }));
    host.stdout.write(renderJson({ [list.key]: listed, total, ...where }));
    return 0;
  }
  const screen = screenOf(runtime);
  const shown = rows.map(({ row, project }) => ({ ...row, project: project.name }));
  const programs = [...new Set(rows.map(({ project }) => project))].map((project) => ({
    name: project.name,
    program: programFor(namedFrom(runtime, project)),
  }));
  const text =
    list.text(shown, total, screen) +
    renderPrograms(programs, list.command, screen) +
    renderCoverage(coverage, screen);
  await printPaged(host, text, pager);
  return 0;
}

/** Merges the rows of several memories, latest first; rows without a time (ISO 8601) come last. */
function latestOfAll<Row>(
  read: ReadEach<readonly Row[]>["read"],
  timeOf: (row: Row) => string | null,
): { row: Row; project: ProjectMemory }[] {
  return read
    .flatMap(({ project, result }) => result.map((row) => ({ row, project, time: timeOf(row) ?? "" })))
    .sort((a, b) => (a.time === b.time ? 0 : a.time < b.time ? 1 : -1))
    .map(({ row, project }) => ({ row, project }));
}
