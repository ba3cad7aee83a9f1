import { parseArgs } from "node:util";
import { MementorError } from "../../../src/errors.ts";

export interface Options {
  /** Directories of histories. */
  corpora: string[];
  /** Files of labels. */
  labels: string[];
  /** A compiled binary; null for that of these sources. */
  binary: string | null;
  /** Where the project was when the history was made; none to find that from the entries. */
  roots: string[];
  /** Also asks before each Read, Edit and Write of the chosen prompts. */
  files: boolean;
  /** How many prompts of each history are asked, drawn at random. */
  sample: { size: number; seed: number } | null;
  /** Asks the labelled prompts only. */
  labelledOnly: boolean;
  /** Counts only labels of this half, and asks only their prompts. */
  half: "fit" | "test" | null;
  /** Where each call is written as a line of JSON. */
  out: string | null;
  /** Where the features of judged candidates are written, a row of JSON each. */
  features: string | null;
  /** Writes also what was asked and told. */
  texts: boolean;
  /** Settings of the memory, each `key=value`. */
  settings: string[];
  /** Files of an earlier run, which are reported instead of asking. */
  from: string[];
}

const USAGE = "bench:life --corpus DIR... [--labels FILE...]";

/** Reads the options of a command line. Throws `usage` for what it does not understand. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parsed(args);
  const { half = null } = values;
  if (values.corpus.length === 0 && values.from.length === 0)
    throw new MementorError("usage", "Name a history.", { hint: USAGE });
  if (half !== null && half !== "fit" && half !== "test")
    throw new MementorError("usage", "A half is fit or test.");
  const labelledOnly = values["ids-only"] || half !== null;
  if (labelledOnly && values.labels.length === 0)
    throw new MementorError("usage", "--ids-only and --half need labels.", { hint: USAGE });
  if (values.features !== undefined && half !== "fit")
    throw new MementorError("usage", "--features needs --half fit: the other half is not fitted to.");
  return {
    corpora: values.corpus,
    labels: values.labels,
    binary: values.bin ?? null,
    roots: values.root,
    files: values.files,
    sample:
      values.sample === undefined
        ? null
        : { size: wholeNumber(values.sample), seed: wholeNumber(values.seed) },
    labelledOnly,
    half,
    out: values.out ?? null,
    features: values.features ?? null,
    texts: values.texts,
    settings: values.config,
    from: values.from,
  };
}

function parsed(args: readonly string[]) {
  const many = { type: "string", multiple: true, default: [] as string[] } as const;
  const yes = { type: "boolean", default: false } as const;
  const one = { type: "string" } as const;
  const options = {
    ...{ corpus: many, labels: many, root: many, config: many, from: many },
    ...{ bin: one, sample: one, half: one, out: one, features: one, seed: { ...one, default: "1" } },
    ...{ files: yes, texts: yes, "ids-only": yes },
  };
  try {
    return parseArgs({ args: [...args], options });
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new MementorError("usage", message, { hint: USAGE, cause });
  }
}

function wholeNumber(typed: string): number {
  if (!/^\d+$/.test(typed)) throw new MementorError("usage", `${typed} is no whole number.`);
  return Number(typed);
}
