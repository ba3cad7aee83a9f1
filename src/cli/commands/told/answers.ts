import { agentOf } from "../../../agents/list.ts";
import { oneLine } from "../../../agents/notices.ts";
import { askedQuestions } from "../../../agents/running.ts";
import { MementorError } from "../../../errors.ts";
import { readIfExists } from "../../../io/read.ts";
import { cleanText } from "../../../redact/clean.ts";
import type { Runtime } from "../../../runtime.ts";
import type { MemoryQuery } from "../../../store/browse.ts";
import type { AnswerQuery } from "../../../store/journal.ts";
import type { SqliteStore } from "../../../store/sqlite/sqlite.ts";
import { plural } from "../../../text/numbers.ts";
import { cutToWords } from "../../../text/width.ts";
import { printList } from "../../all-projects.ts";
import type { OptionValues, viewOptions } from "../../command-line/option.ts";
import { storeWaiting } from "../../memory.ts";
import { renderMore, renderWhen, type Screen } from "../../terminal/screen.ts";
import { renderJson, screenOf, viewLocal } from "../../terminal/view.ts";
import { type Answer, answerJson, renderAnswer, renderAnswers, renderMarkHint } from "./text.ts";

type Shown = OptionValues<typeof viewOptions>;

interface AnswerListOptions extends Shown {
  limit: number;
  session?: string | undefined;
}

/** How often `--follow` checks for new answers, in ms. */
const POLL_MS = 300;

/** Lists the latest answers of hooks. */
export async function showAnswers(runtime: Runtime, options: AnswerListOptions): Promise<number> {
  await storeWaiting(runtime);
  return viewLocal(runtime, options, async (store) => {
    const query = queryOf(options);
    const answers = await answersOf(store, query);
    const total = await store.journal.countAnswers(query);
    const asked = await latestAsked(store, query);
    return {
      json: () => ({ answers: answers.map(answerJson), total, asked: asked.map(askedJson) }),
      text: (screen) =>
        renderAnswers(answers, screen) +
        renderMore(answers.length, total, "answer", screen) +
        renderAsked(asked, screen) +
        renderMarkHint(answers, screen),
    };
  });
}

/**
 * Prints exactly what an agent got in one answer.
 *
 * @throws `not_found` for an answer that does not exist.
 */
export async function showAnswer(runtime: Runtime, id: number, options: Shown): Promise<number> {
  await storeWaiting(runtime);
  return viewLocal(runtime, options, async (store) => {
    const [answer] = await answersOf(store, { limit: 1, id });
    if (answer === undefined) throw noAnswer(id);
    return {
      json: () => answerJson(answer),
      text: (screen) => (answer.answer === null ? renderAnswer(answer, screen) : `${answer.answer}\n`),
    };
  });
}

/** Returns the error for an answer that does not exist. */
export function noAnswer(id: number): MementorError {
  return new MementorError("not_found", `There is no answer ${id}.`, {
    hint: 'Run "mementor told" for a list.',
  });
}

/** Prints the latest answers, oldest first, and each new one as it is given, until it is interrupted. */
export async function followAnswers(runtime: Runtime, options: AnswerListOptions): Promise<number> {
  const { host } = runtime;
  const signal = host.interrupted();
  for (let afterId = 0; !signal.aborted; ) {
    await storeWaiting(runtime);
    const store = await runtime.openStore("readonly");
    const answers = await answersOf(store, { ...queryOf(options), afterId }).finally(() => store.close());
    afterId = answers[0]?.id ?? afterId;
    for (const answer of answers.toReversed())
      host.stdout.write(
        options.json ? renderJson(answerJson(answer)) : renderAnswers([answer], screenOf(runtime)),
      );
    await pause(POLL_MS, signal);
  }
  return 0;
}

function queryOf({ limit, session }: AnswerListOptions): AnswerQuery {
  return { limit, sessionId: session };
}

/** Returns answers with the turns that they name. */
export async function answersOf({ journal, search }: SqliteStore, query: AnswerQuery): Promise<Answer[]> {
  const answers = await journal.answers(query);
  const ids = new Set(answers.flatMap(({ turns }) => turns.map(({ turnId }) => turnId)));
  const turns = new Map((await search.turns([...ids])).map((turn) => [turn.turnId, turn]));
  return answers.map((answer) => ({ ...answer, titles: turns }));
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener("abort", () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}

/**
 * Returns agents' questions to this memory, latest first. Reads them from transcripts, because a command in an agent's sandbox
 * cannot record anything. The results are known only as long as the transcript exists.
 */
async function latestAsked(
  store: SqliteStore,
  query: { limit: number; sessionId?: string | undefined },
): Promise<AgentQuestion[]> {
  const latest = await store.browse.asked(query);
  const asked: AgentQuestion[] = [];
  for (const [turnId, ofTurn] of Map.groupBy(latest, (call) => call.turnId)) {
    const read = await rereadQuestions(turnId, store).catch(() => null);
    asked.push(...(read === null || read.length === 0 ? ofTurn.map(fromSummary) : placed(read, ofTurn)));
  }
  return asked.slice(0, query.limit);
}

function fromSummary({ call, sessionId, turnId, time }: MemoryQuery): AgentQuestion {
  return { sessionId, turnId, time, question: call, got: null };
}

function placed(
  read: readonly Pick<AgentQuestion, "question" | "got">[],
  [first]: readonly MemoryQuery[],
): AgentQuestion[] {
  if (first === undefined) return [];
  const { sessionId, turnId, time } = first;
  return read.map(({ question, got }) => ({ sessionId, turnId, time, question, got })).reverse();
}

/** Reads a turn's questions again from its transcript, and redacts them as an ingest does; null if the transcript is gone. */
async function rereadQuestions(
  turnId: number,
  { browse }: SqliteStore,
): Promise<Pick<AgentQuestion, "question" | "got">[] | null> {
  const place = await browse.transcriptPlace(turnId);
  const text = place === null || place.firstLine === null ? null : readIfExists(place.path);
  if (place === null || place.firstLine === null || text === null) return null;
  const lines = text.split("\n");
  if (place.promptUuid !== null && lines[place.firstLine]?.includes(place.promptUuid) !== true) return null;
  const asked = await askedQuestions(
    agentOf(place.path).id,
    lines.slice(place.firstLine, place.endLine ?? undefined),
  );
  return asked?.map(({ question, got }) => ({ question: cleanText(question), got })) ?? null;
}

/** An agent's question to this memory. */
interface AgentQuestion {
  sessionId: string;
  turnId: number;
  /** End of the turn in which it was asked, ISO 8601. */
  time: string;
  question: string;
  /** The whole answer; null where it is not known. */
  got: string | null;
}

/** Returns an agent's question for `--json`. */
function askedJson({ sessionId, turnId, time, question, got }: AgentQuestion) {
  return {
    time,
    session_id: sessionId,
    turn_id: turnId,
    question,
    got: got === null ? null : resultWords(got),
    turns: got === null ? null : namedIn(got),
  };
}

/** Renders agents' questions and their results; empty without questions. */
function renderAsked(asked: readonly AgentQuestion[], { style, width, now }: Screen): string {
  if (asked.length === 0) return "";
  const rows = asked.map(({ time, question, got }) => {
    const head = `${renderWhen(time, now)}  ${got === null ? "asked" : resultWords(got)}`;
    const line = style.text(oneLine(question));
    return `${head}\n    ${width === null ? line : cutToWords(line, Math.max(1, width - 4), style.ellipsis)}\n`;
  });
  return `\n${style.bold("What agents asked this memory")}\n${rows.join("")}`;
}

/** Summarises a result: its turns and its confidence. */
function resultWords(got: string): string {
  const turns = namedIn(got);
  const confidence = /\b(strong|likely|weak)\b/.exec(unquoted(got))?.[1];
  const sure = confidence === undefined ? "" : `, ${confidence}`;
  if (turns.length > 0) return `got ${plural(turns.length, "turn")}${sure}: ${turns.join(", ")}`;
  return /\bNothing\b/.test(got) ? "got nothing" : "got no turn";
}

function namedIn(got: string): number[] {
  const numbers = [...unquoted(got).matchAll(/\bturns? (\d{1,9})\b/g)].map(([, number]) => Number(number));
  return [...new Set(numbers)];
}

/** Quoted text may contain other turn numbers. */
function unquoted(text: string): string {
  return text
    .split("\n")
    .filter((line) => !line.startsWith(">"))
    .join("\n");
}

/** Lists the answers of hooks in all projects. Leaves out answers that another project's worker has not stored yet. */
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
