import { defineCommand } from "../command-line/command.ts";
import { oneOf, requiredArgument } from "../command-line/option.ts";
import bash from "./completions/mementor.bash" with { type: "text" };
import fish from "./completions/mementor.fish" with { type: "text" };
import powershell from "./completions/mementor.ps1" with { type: "text" };
import zsh from "./completions/mementor.zsh" with { type: "text" };

/** The completion script of each shell. It calls `mementor complete` at every Tab, and contains no commands itself. */
const SCRIPTS = { bash, zsh, fish, powershell };

export const command = defineCommand({
  name: "completions",
  help: { group: "For programs", position: 7 },
  summary: "Print the completions for bash, zsh, fish or PowerShell",
  arguments: { shell: requiredArgument("shell", oneOf(["bash", "zsh", "fish", "powershell"])) },
  options: {},
  examples: [
    "source <(mementor completions bash)",
    "source <(mementor completions zsh)",
    "mementor completions fish | source",
    "mementor completions powershell | Out-String | Invoke-Expression",
  ],
  printsData: () => true,
  run({ args: { shell } }, { host }) {
    host.stdout.write(SCRIPTS[shell]);
    return 0;
  },
});
