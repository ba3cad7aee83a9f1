import { appendFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { toMementorError } from "../../../src/errors.ts";
import { freshBinary } from "../../support/binary.ts";
import { type Call, readCalls } from "./call.ts";
import { type FeatureWriter, openFeatures } from "./features.ts";
import { readHistory } from "./history.ts";
import { keyOf, type Labels, readLabels } from "./labels.ts";
import { momentsOf } from "./moments.ts";
import { type Options, readOptions } from "./options.ts";
import { type Played, play } from "./play.ts";
import { reportOf } from "./report.ts";
import { rootsOfSessions } from "./roots.ts";

/** How often it says how far it is, in calls. */
const TELL_EVERY = 25;

/**
 * `bun run bench:life --corpus DIR [--labels FILE]` plays a history in the order of its time on the binary: before each
 * prompt the memory holds what stood on disk then, the own session up to there, and the hook is asked. Reports what is
 * told, and how far that is worth it by the labels.
 */
try {
  const options = readOptions(process.argv.slice(2));
  const { prompts, answers } = readLabels(options.labels);
  const labels = {
    prompts: prompts.filter(({ half }) => options.half === null || half === options.half),
    answers,
  };
  const calls = options.from.length > 0 ? callsFrom(options, labels) : await playAll(options, labels);
  process.stdout.write(`${reportOf(calls, labels)}\n`);
} catch (error) {
  const { code, message, hint } = toMementorError(error);
  if (code !== "usage") throw error;
  process.stderr.write(`bench:life: ${message}${hint === undefined ? "" : `\n  ${hint}`}\n`);
  process.exitCode = 1;
}

function callsFrom({ from, labelledOnly }: Options, labels: Labels): Call[] {
  const labelled = new Set(labels.prompts.map(keyOf));
  return from.flatMap(readCalls).filter((call) => !labelledOnly || labelled.has(keyOf(call)));
}

async function playAll(options: Options, labels: Labels): Promise<Call[]> {
  const binary = resolve(options.binary ?? process.env.MEMENTOR_TEST_BINARY ?? freshBinary());
  const write = options.out === null ? () => {} : writerTo(options.out, options.texts);
  await using features =
    options.features === null ? null : await openFeatures(options.features, labels.prompts);
  const calls: Call[] = [];
  for (const directory of options.corpora) {
    for await (const played of playOne(directory, binary, options, labels, features)) {
      calls.push(played.call);
      write(played);
      if (calls.length % TELL_EVERY === 0) console.error(`${calls.length} asked`);
    }
  }
  return calls;
}

async function* playOne(
  directory: string,
  binary: string,
  options: Options,
  labels: Labels,
  features: FeatureWriter | null,
): AsyncGenerator<Played> {
  const history = await readHistory(directory);
  const { corpus, sessions } = history;
  const { sample, files, settings } = options;
  const labelled = new Set(labels.prompts.filter((label) => label.corpus === corpus).map(keyOf));
  const isLabelled = ({ session, line }: { session: { id: string }; line: number }) =>
    labelled.has(keyOf({ corpus, session: session.id, line }));
  const moments = momentsOf(history, {
    sample,
    files,
    ...(options.labelledOnly && { isWanted: isLabelled }),
  });
  const found = moments.filter((moment) => moment.kind === "prompt" && isLabelled(moment)).length;
  const roots = options.roots.length > 0 ? options.roots : rootsOfSessions(sessions);
  console.error(
    `${corpus}: ${moments.length} calls, ${found} of ${labelled.size} labels, project at ${roots.join(", ")}`,
  );
  yield* play(history, moments, {
    binary,
    settings,
    roots,
    ...(features && { onPrompt: features.onPrompt }),
  });
}

/** Returns what writes a call to a file that only its owner may read. */
function writerTo(file: string, texts: boolean): (played: Played) => void {
  writeFileSync(file, "", { mode: 0o600 });
  return ({ call, ...played }) =>
    appendFileSync(file, `${JSON.stringify(texts ? { ...call, ...played.texts } : call)}\n`);
}
