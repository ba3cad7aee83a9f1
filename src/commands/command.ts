import type { Runtime } from "../runtime.ts";

export interface OptionSpec {
  /** As cac takes it: `-k, --limit <n>`; a value in angle brackets is required. */
  flags: string;
  description: string;
  /** What the value can be, where that is known; for completions. */
  values?: readonly string[];
}

/** Arguments and options as they were typed; every value is a string, a repeated option is a list. */
export interface CommandInput {
  args: readonly string[];
  options: Readonly<Record<string, string | boolean | readonly string[]>>;
}

/** Does one thing and returns the exit code: 0, 1 for an error, 64 for wrong usage. */
export type RunCommand = (input: CommandInput, runtime: Runtime) => Promise<number>;

/** One row of the table from which parsing, help and completions come. */
export interface CommandSpec {
  name: string;
  aliases?: readonly string[];
  /** As cac takes it: `<text...>`. */
  args: string;
  /** What the argument can be, where that is known; for completions. */
  argValues?: readonly string[];
  summary: string;
  options: readonly OptionSpec[];
  examples: readonly string[];
  /** Left out of help and completions. */
  hidden?: boolean;
  load: () => Promise<RunCommand>;
}
