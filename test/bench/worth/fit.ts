import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { fitSentences } from "./fit-sentences.ts";
import { fitTurns, reportOf, type WorthModel } from "./fit-turns.ts";
import { readRows } from "./rows.ts";

/**
 * `bun test/bench/worth/fit.ts ROWS...` fits what decides which turns are told, and which sentences of them, to rows of
 * features of the half to fit on: those that `bun run bench:life --features FILE` and `made.ts` write. Prints how the models
 * of turns do on sessions that were left out. `--write` replaces the weights in the sources.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { write: { type: "boolean", default: false } },
});

const SOURCES = resolve(import.meta.dir, "../../../src");
const TURN_WEIGHTS = `${SOURCES}/recall/worth/model.ts`;
const SENTENCE_WEIGHTS = `${SOURCES}/recall/statement/choose.ts`;

/** How far `loose` and `strict` lie from `normal`, in logits. */
const STRICTNESS = 0.8;
/**
 * Weights of sentences that are set by hand. Readers quote what answers their prompt; these lead towards what settles a
 * matter for others too: rules and decisions, and no narration, headings or questions. Null leaves a feature out.
 */
const BY_HAND: Readonly<Record<string, number | null>> = {
  ...{ rule: 0.1, decision: 0.3, narrated: 0.3, after: -0.6 },
  ...{ narration: -1, heading: -1.5, question: -0.6, restated: -0.8, short: -0.4 },
};

const { turns, sentences } = readRows(positionals);
if (turns.length > 0) {
  const models = (["vectors", "words"] as const).map((kind) => ({ kind, model: fitTurns(turns, kind) }));
  for (const { kind, model } of models) console.log(`${kind}: ${reportOf(model)}`);
  put(TURN_WEIGHTS, models.map(({ kind, model }) => `  ${kind}: ${modelText(model)},\n`).join(""));
}
if (sentences.length > 0) {
  const fitted = new Map<string, number | null>([...fitSentences(sentences), ...Object.entries(BY_HAND)]);
  const weights = [...fitted].flatMap(([name, weight]): [string, number][] =>
    weight === null ? [] : [[name, Number(weight.toFixed(2))]],
  );
  console.log(`sentences: ${sentences.length} turns, ${weights.length} features`);
  put(SENTENCE_WEIGHTS, linesOf(weights, "  "));
}

/** Prints a table of weights, or puts it in the place of the one in a source. */
function put(file: string, table: string): void {
  if (!values.write) {
    console.log(table);
    return;
  }
  const source = readFileSync(file, "utf8");
  writeFileSync(
    file,
    source.replace(
      /(?<=\n(?:export )?const \w*(?:WORTH|STATEMENT_WEIGHTS)\b.*= \{\n)[\s\S]*?(?=\n\};\n)/,
      () => table.trimEnd(),
    ),
  );
}

function modelText({ bias, weights, limit }: WorthModel): string {
  const normal = Number(limit.toFixed(2));
  const moved = (by: number) =>
    Number((1 / (1 + Math.exp(-by - Math.log(normal / (1 - normal))))).toFixed(2));
  const rounded = weights.map(([name, weight]): [string, number] => [name, Number(weight.toPrecision(3))]);
  return [
    "{",
    `    bias: ${Number(bias.toFixed(3))},`,
    "    weights: {",
    `${linesOf(rounded, "      ")}    },`,
    `    limits: { off: 0, loose: ${moved(-STRICTNESS)}, normal: ${normal}, strict: ${moved(STRICTNESS)} },`,
    "  }",
  ].join("\n");
}

function linesOf(weights: readonly [string, number][], indent: string): string {
  return weights.map(([name, weight]) => `${indent}${name}: ${weight},\n`).join("");
}
