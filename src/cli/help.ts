import { type Command, FOR_PROGRAMS } from "../command/command.ts";
import { GLOBAL_OPTIONS } from "../command/common-options.ts";
import { commandHelp, helpSections, optionHelp } from "../command/help.ts";
import { OVERVIEW } from "../commands/overview.ts";
import { filterOptions } from "../commands/shared/filter.ts";
import { printPaged } from "../commands/shared/pager.ts";
import { MementorError } from "../errors.ts";
import type { Host } from "../host.ts";
import { renderCommandHelp, renderHelp, renderProgramsHelp } from "../render/help.ts";
import { renderCommandManual, renderManual } from "../render/manual.ts";
import { renderManualPage } from "../render/manual-page.ts";
import { renderPage } from "../render/page/page.ts";
import { styleFor } from "../render/style.ts";
import { isUtf8 } from "../text/locale.ts";
import { VERSION } from "../version.ts";
import { asciiHost } from "./ascii-host.ts";
import { loadCommand, loadCommands } from "./commands.ts";
import { unknownCommand } from "./mistakes.ts";
import { PAGES } from "./pages.ts";

/** What the help is about, and how it is printed. */
interface Wanted {
  /** A command or a page; absent for the program. */
  topic: string | undefined;
  /** Whether as a manual page. */
  isManual: boolean;
  pager: boolean;
}

/** Prints the help of the program, of a command or a page of the documentation. Throws `usage` for an unknown topic. */
export async function printHelp(host: Host, { topic, isManual, pager }: Wanted): Promise<void> {
  if (topic === undefined) return isManual ? printManual(host, null, pager) : printOverview(host);
  const command = await loadCommand(topic);
  if (command !== null) return isManual ? printManual(host, command, pager) : printCommandHelp(host, command);
  if (topic === "programs" && !isManual) return printForPrograms(host);
  const page = PAGES.get(topic);
  if (page === undefined) throw unknownCommand(topic, await loadCommands(), [...PAGES.keys()]);
  if (isManual)
    throw new MementorError("usage", `"${topic}" is a page, and no command with a manual page.`, {
      hint: `Run "mementor help ${topic}" to read it.`,
    });
  // It fits but for its code, which is there to be copied.
  await printReadable(host, renderPage((await page.load()).default, screenOf(host)), pager, "whole");
}

/** Prints the help of a command. */
export function printCommandHelp(host: Host, command: Command): void {
  host.stdout.write(renderCommandHelp(commandHelp(command), screenOf(host)));
}

function printOverview(host: Host): void {
  const sections = OVERVIEW.filter(([title]) => title !== FOR_PROGRAMS);
  host.stdout.write(renderHelp(sections, described(), [...PAGES.keys()], screenOf(host)));
}

function printForPrograms(host: Host): void {
  const rows = OVERVIEW.flatMap(([title, commands]) => (title === FOR_PROGRAMS ? commands : []));
  host.stdout.write(renderProgramsHelp(rows, screenOf(host)));
}

/** The manual is made from the same definitions as the help. */
async function manualOf(command: Command | null): Promise<string> {
  if (command !== null) return renderCommandManual(VERSION, commandHelp(command));
  return renderManual({ version: VERSION, sections: helpSections(await loadCommands()), ...described() });
}

/** The options that only the help of the program describes. */
function described() {
  return { globals: optionHelp(GLOBAL_OPTIONS), filters: optionHelp(filterOptions()) };
}

/** Prints a manual page for man into a pipe, and to read on a terminal, which would show its marks as they are. */
async function printManual(host: Host, command: Command | null, pager: boolean): Promise<void> {
  const [page, { style, width }] = [await manualOf(command), screenOf(host)];
  if (width === null) return void host.stdout.write(page);
  await printReadable(host, renderManualPage(page, { style, width }), pager);
}

function printReadable(host: Host, text: string, pager: boolean, form?: "whole"): Promise<void> {
  return printPaged(isUtf8(host.env) ? host : asciiHost(host), text, pager, form);
}

function screenOf({ stdout, env }: Host) {
  return { style: styleFor(stdout, env), width: stdout.columns };
}
