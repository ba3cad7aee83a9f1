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
import { renderPage } from "../render/page/page.ts";
import { type Style, styleFor } from "../render/style.ts";
import { isUtf8 } from "../text/locale.ts";
import { wrap } from "../text/wrap.ts";
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

const STEP = 4;
/** How wide lines get at most: longer ones are hard to read. */
const MAX_WIDTH = 100;

/** What is open while the lines of a page are read. */
interface Place {
  /** How far text stands from the edge, in columns. */
  indent: number;
  /** Whether the next line is the name that `.TP` asks for, or the text below it. */
  tag: "none" | "name" | "text";
  isAsItIs: boolean;
  /** Words of the paragraph that is not written yet. */
  words: string[];
}

/**
 * Renders a manual page of `renderManual` or `renderCommandManual` for a terminal of `width` columns, as man would: the
 * macros that those two use, and no others.
 */
function renderManualPage(page: string, { style, width }: { style: Style; width: number }): string {
  const place: Place = { indent: STEP, tag: "none", isAsItIs: false, words: [] };
  const screen = { style, width: Math.min(width, MAX_WIDTH) };
  const lines = page.trimEnd().split("\n");
  const shown = lines.flatMap((line) => renderLine(line, place, screen));
  return `${[...shown, ...flush(place, screen)].join("\n").trim()}\n`;
}

function renderLine(line: string, place: Place, screen: { style: Style; width: number }): string[] {
  const [, macro = "", rest = ""] = /^\.([A-Za-z]{1,2})(?: (.*))?$/.exec(line) ?? [];
  const { style } = screen;
  const text = plain(macro === "" ? line : rest);
  switch (macro) {
    case "TH":
      return [];
    case "SH":
    case "SS": {
      const before = flush(place, screen);
      Object.assign(place, { indent: STEP, tag: "none" });
      return [...before, "", `${macro === "SS" ? "  " : ""}${style.bold(text)}`];
    }
    case "TP": {
      const before = flush(place, screen);
      place.tag = "name";
      return before;
    }
    case "PP": {
      const before = flush(place, screen);
      place.tag = "none";
      return [...before, ""];
    }
    case "RS":
    case "RE": {
      const before = flush(place, screen);
      place.indent += macro === "RS" ? STEP : -STEP;
      place.tag = "none";
      return before;
    }
    case "nf":
    case "fi": {
      const before = flush(place, screen);
      place.isAsItIs = macro === "nf";
      return before;
    }
    default:
      return renderText(text, place, screen);
  }
}

function renderText(text: string, place: Place, { style, width }: { style: Style; width: number }): string[] {
  const edge = " ".repeat(place.indent);
  if (place.isAsItIs) return [`${edge}${text}`];
  if (place.tag === "name") {
    place.tag = "text";
    return wrap(text, width - place.indent).map((line) => `${edge}${style.bold(line)}`);
  }
  place.words.push(text);
  return [];
}

/** Writes the paragraph that ends here. */
function flush(place: Place, { width }: { width: number }): string[] {
  if (place.words.length === 0) return [];
  const indent = place.indent + (place.tag === "text" ? STEP : 0);
  const lines = wrap(place.words.join(" "), width - indent);
  place.words = [];
  return lines.map((line) => `${" ".repeat(indent)}${line}`);
}

/** Takes the quotes of an argument and the escapes of troff away. */
function plain(text: string): string {
  const unquoted = /^"(.*)"$/.exec(text)?.[1]?.replaceAll('""', '"') ?? text;
  return unquoted.replaceAll("\\&", "").replaceAll("\\-", "-").replaceAll("\\e", "\\");
}
