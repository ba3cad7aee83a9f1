import { required } from "../command/argument.ts";
import { defineCommand } from "../command/command.ts";
import { GLOBAL_OPTIONS } from "../command/common-options.ts";
import { helpSections, optionHelp } from "../command/help.ts";
import { oneOf } from "../command/schema.ts";
import { helpOfHelp, renderCompletions, SHELLS } from "../render/completions.ts";

export const command = defineCommand({
  name: "completions",
  help: { group: "For programs", position: 7 },
  summary: "Print the completions for bash, zsh, fish or PowerShell",
  arguments: { shell: required("shell", oneOf(SHELLS)) },
  options: {},
  examples: [
    "source <(mementor completions bash)",
    "source <(mementor completions zsh)",
    "mementor completions fish | source",
    "mementor completions powershell | Out-String | Invoke-Expression",
  ],
  printsData: () => true,
  async run({ args: { shell } }, { host }, program) {
    const visible = helpSections(await program.commands()).flatMap(([, commands]) => commands);
    const globals = optionHelp(GLOBAL_OPTIONS);
    const help = helpOfHelp(visible, await program.pages(), globals);
    const { withOwnWords } = await import("./completions/own-words.ts");
    const known = [...visible, help].map(withOwnWords);
    host.stdout.write(renderCompletions(shell, known, globals));
    return 0;
  },
});
