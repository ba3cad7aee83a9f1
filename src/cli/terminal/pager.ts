import type { Host } from "../../host.ts";
import { isUtf8, toAscii } from "../../text/ascii.ts";

/**
 * Prints a text, given whole or in parts of whole lines, of which each is made when the one before is taken. On a
 * terminal, uses the user's pager unless `wanted` is false. `form` is that of `Output.write`.
 */
export async function printPaged(
  { stdout, env, platform }: Host,
  text: string | Iterable<string>,
  wanted: boolean,
  form?: "whole",
): Promise<void> {
  const command = wanted && stdout.isTerminal ? pagerCommand(env, platform) : null;
  const parts = (typeof text === "string" ? [text] : text)[Symbol.iterator]();
  const taken: string[] = [];
  const write = () => {
    for (const part of taken) stdout.write(part, form);
    for (let next = parts.next(); !next.done; next = parts.next()) stdout.write(next.value, form);
  };
  if (command === null) return write();
  const ignore = () => {};
  // Ctrl-C goes to the pager. If mementor ended first, the pager would be left on a terminal in its own mode.
  process.on("SIGINT", ignore);
  try {
    const child = Bun.spawn(command, {
      stdin: new ReadableStream<Uint8Array>({
        async pull(controller) {
          const next = parts.next();
          if (next.done) return controller.close();
          taken.push(next.value);
          const columns = form === "whole" ? null : stdout.columns;
          controller.enqueue(Buffer.from(await forPager(next.value, columns, isUtf8(env))));
        },
      }),
      stdout: "inherit",
      stderr: "inherit",
      // A text that fits on the screen is printed and stays there.
      env: { LESS: "FRX", ...env },
    });
    if ((await child.exited) === NOT_FOUND) write();
  } catch {
    write();
  } finally {
    process.off("SIGINT", ignore);
  }
}

/** What the writer to a terminal does, for a program that writes there itself. */
async function forPager(text: string, columns: number | null, hasUnicode: boolean): Promise<string> {
  const { fitToWidth } = await import("../../text/width.ts");
  const shown = hasUnicode ? text : toAscii(text);
  return columns === null ? shown : fitToWidth(shown, columns, hasUnicode ? "…" : "...");
}

/** Exit code of a shell for a command that does not exist. */
const NOT_FOUND = 127;

function pagerCommand(env: Host["env"], platform: Host["platform"]): string[] | null {
  if ((env.NO_PAGER ?? "") !== "" || env.TERM === "dumb" || platform === "win32") return null;
  if (env.PAGER === undefined)
    return Bun.which("less", { PATH: env.PATH ?? "" }) === null ? null : ["less", "-R"];
  return env.PAGER === "" || env.PAGER === "cat" ? null : ["/bin/sh", "-c", env.PAGER];
}
