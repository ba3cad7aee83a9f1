import { MementorError } from "../errors.ts";
import { renderCompletions, SHELLS } from "../render/completions.ts";
import type { RunCommand } from "./command.ts";

export const run: RunCommand = async ({ args }, { host }) => {
  const { COMMANDS, GLOBAL_OPTIONS } = await import("./table.ts");
  const shell = SHELLS.find((name) => name === args[0]);
  if (!shell)
    throw new MementorError("usage", `There are no completions for "${args[0]}".`, {
      hint: `Shells are ${SHELLS.join(", ")}.`,
    });
  host.stdout.write(renderCompletions(shell, COMMANDS, GLOBAL_OPTIONS));
  return 0;
};
