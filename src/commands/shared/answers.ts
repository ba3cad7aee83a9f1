import type { viewOptions } from "../../command/common-options.ts";
import type { OptionValues } from "../../command/option.ts";
import { MementorError } from "../../errors.ts";
import {
  type Answer,
  answerJson,
  renderAnswer,
  renderAnswers,
  renderMarkHint,
} from "../../render/answers.ts";
import { askedJson, renderAsked } from "../../render/asked.ts";
import { renderJson } from "../../render/json.ts";
import { renderMore } from "../../render/screen.ts";
import type { Runtime } from "../../runtime.ts";
import type { AnswerQuery } from "../../store/contract/types/journal.ts";
import type { SqliteStore } from "../../store/sqlite/sqlite.ts";
import { latestAsked } from "./asked.ts";
import { screenOf, viewLocal } from "./view.ts";
import { storeWaiting } from "./waiting-calls.ts";

type Shown = OptionValues<typeof viewOptions>;

interface Wanted extends Shown {
  limit: number;
  session?: string | undefined;
}

/** How often `--follow` checks for new answers, in ms. */
const POLL_MS = 300;

/** Lists the latest answers of hooks. */
export async function showAnswers(runtime: Runtime, options: Wanted): Promise<number> {
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
export async function followAnswers(runtime: Runtime, options: Wanted): Promise<number> {
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

function queryOf({ limit, session }: Wanted): AnswerQuery {
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
