import { BINARY, type Sandbox } from "./sandbox.ts";
import { until } from "./wait.ts";

export interface TerminalOptions {
  columns?: number;
  rows?: number;
  cwd?: string;
  env?: Record<string, string>;
  /** What is typed, each when the text before it has appeared: `[["[Y/n/q]", "q\n"]]`. Ctrl-C is `\x03`. */
  typed?: readonly (readonly [after: string, keys: string])[];
}

export interface TerminalResult {
  /** Everything that appeared, with line breaks as `\n`. */
  screen: string;
  exitCode: number | null;
}

/** Runs the binary on a terminal of its own, types, and returns what appeared. */
export async function onTerminal(
  sandbox: Sandbox,
  args: readonly string[],
  { columns = 80, rows = 24, cwd = sandbox.project, env = {}, typed = [] }: TerminalOptions = {},
): Promise<TerminalResult> {
  const decoder = new TextDecoder();
  let seen = "";
  const child = Bun.spawn([BINARY, ...args], {
    cwd,
    env: sandbox.env({ TERM: "xterm-256color", ...env }),
    terminal: {
      cols: columns,
      rows,
      data(_terminal, bytes) {
        seen += decoder.decode(bytes, { stream: true });
      },
    },
  });
  let from = 0;
  for (const [after, keys] of typed) {
    await until(`"${after}" appears`, () => seen.includes(after, from) || child.exitCode !== null);
    from = seen.indexOf(after, from) + after.length;
    child.terminal?.write(keys);
  }
  await child.exited;
  child.terminal?.close();
  return { screen: seen.replaceAll("\r\n", "\n"), exitCode: child.exitCode };
}
