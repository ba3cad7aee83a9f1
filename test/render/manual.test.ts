import { expect, test } from "bun:test";
import { loadCommands } from "../../src/cli/commands.ts";
import { commandHelp } from "../../src/command/help.ts";
import { renderCommandManual } from "../../src/render/manual.ts";

test("the manual page of a command has its usage, actions, options and examples", () => {
  const page = renderCommandManual("1.0.0", {
    ...{ name: "team", aliases: ["crew"], usage: "team [action]" },
    summary: "Share the memory",
    actions: [["join [url]", "Join a team"]],
    options: [{ flags: "--yes", description: "Do not ask" }],
    globals: [{ flags: "-h, --help", description: "Show help" }],
    examples: ["mementor team join"],
  });
  expect(page).toBe(`.TH "MEMENTOR\\-TEAM" 1 "" "mementor 1.0.0" "User Commands"
.SH NAME
mementor\\-team \\- Share the memory
.SH SYNOPSIS
.B mementor team [action]
[options]
.PP
Also: crew.
.SH ACTIONS
.TP
.B join [url]
Join a team.
.SH OPTIONS
.TP
.B \\-\\-yes
Do not ask.
.TP
.B \\-h, \\-\\-help
Show help.
.SH EXAMPLES
.nf
mementor team join
.fi
.SH SEE ALSO
"mementor help \\-\\-man" prints the manual page of the program.
`);
});

test.skipIf(!Bun.which("groff"))("the manual page of every command is sound troff", async () => {
  for (const command of await loadCommands()) {
    const page = renderCommandManual("1.0.0", commandHelp(command));
    const { stderr } = Bun.spawnSync(["groff", "-man", "-Tutf8", "-ww", "-z"], { stdin: Buffer.from(page) });
    expect({ command: command.name, stderr: stderr.toString() }).toEqual({
      command: command.name,
      stderr: "",
    });
  }
});
