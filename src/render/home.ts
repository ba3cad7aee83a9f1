import { NOTE } from "../constants.ts";
import type { MementorError } from "../errors.ts";
import { choreShare } from "../search/worth/occasion.ts";
import type { TurnSummary } from "../store/browse.ts";
import type { HookAnswerRow } from "../store/journal.ts";
import type { Totals } from "../store/stored.ts";
import { headline } from "../text/headline.ts";
import { printable } from "../text/invisible.ts";
import { shWord } from "../text/shell-words.ts";
import { cutToWords, widthOf } from "../text/width.ts";
import { askedOrPasted } from "../turn/asked.ts";
import { toldTurns } from "./answers.ts";
import { sentence } from "./error.ts";
import { heldWords } from "./held.ts";
import { oneLine } from "./list.ts";
import { plural } from "./plural.ts";
import type { Screen } from "./screen.ts";
import { renderWhen } from "./time.ts";
import { wordsOfTurn } from "./turns.ts";

/** What `mementor` alone shows in an enabled project. */
export interface Home {
  name: string;
  branch: string | null;
  totals: Totals;
  /** What the related projects hold whose memories prompts are answered from, too. */
  related: { projects: number; turns: number; notes: number };
  /** The latest turns, newest first. */
  recent: readonly TurnSummary[];
  /** The latest answers that told something, newest first. */
  told: readonly HookAnswerRow[];
}

/** Width where there is no terminal, in columns. */
const WIDTH = 100;
/** Columns that a remark on a command needs. */
const MIN_REMARK = 30;
/** Words of a title in a command to try. */
const QUERY_WORDS = 6;
/** A text of which more is about commits, tests and releases names no matter. */
const MAX_CHORE = 0.4;

/** What an answer without a prompt was about, by its hook. */
const SUBJECTS: Readonly<Record<string, string>> = {
  "pre-tool-use": "a file",
  "post-tool-use-failure": "a failure",
  "subagent-start": "a subagent",
  "session-start": "the start of a session",
};

/** Renders where the work stood, what was told lately, and three things to try. */
export function renderHome(home: Home, screen: Screen): string {
  const { style } = screen;
  const holds = heldWords(home.totals);
  const { projects, turns, notes } = home.related;
  const theirs = `${plural(turns, "turn")}${notes > 0 ? ` and ${plural(notes, "note")}` : ""}`;
  const more = projects > 0 && `${theirs} of ${plural(projects, "related project")}`;
  const facts = [home.branch && `on ${oneLine(home.branch)}`, holds, more]
    .filter(Boolean)
    .join(` ${style.dot} `);
  return [
    `${style.bold(style.text(oneLine(home.name)))}  ${style.dim(style.text(facts))}\n`,
    section("Where the work stood", recentLines(home, screen), screen),
    section("Told lately", toldLines(home, screen), screen),
    section("Try", tryLines(home, screen), screen),
    `\n${style.dim('"mementor --help" lists every command.')}\n`,
  ].join("");
}

/** Renders what `mementor` alone shows elsewhere: a short help, after why the memory is not read. */
export function renderShortHelp(
  { style }: Pick<Screen, "style">,
  refusal: Pick<MementorError, "message" | "hint"> | null,
): string {
  const first = refusal && [sentence(refusal.message), refusal.hint ?? ""].map(printable).join("\n");
  return `${first === null ? "" : `${first}\n\n`}mementor: a local memory for coding agents. It remembers what was said, decided and done in earlier sessions.

  ${style.bold("mementor enable")}                   once, in a project: makes the memory and installs the hooks
  ${style.bold('mementor search "why did we"')}      what was said before
  ${style.bold("mementor status")}                   whether it works here

"mementor --help" lists every command.
`;
}

function section(title: string, lines: readonly string[], { style }: Screen): string {
  const shown = lines.map((line) => `  ${line}\n`);
  return `\n${style.bold(title)}\n${shown.join("")}`;
}

function recentLines({ recent }: Home, { style, width, now, program = "mementor" }: Screen): string[] {
  if (recent.length === 0) return [`nothing was read yet; the next session will be, or: ${program} ingest`];
  const numbers = Math.max(...recent.map(({ turnId }) => `${turnId}`.length));
  const times = recent.map(({ createdAt }) => renderWhen(createdAt, now));
  const timeWidth = Math.max(...times.map(({ length }) => length));
  const room = Math.max(12, (width ?? WIDTH) - numbers - timeWidth - 8);
  return recent.map((turn, at) => {
    const words = cutToWords(style.text(oneLine(wordsOfTurn(turn))), room, style.ellipsis);
    return `${`${turn.turnId}`.padStart(numbers)}  ${(times[at] ?? "").padEnd(timeWidth)}  ${words}`;
  });
}

function toldLines({ told }: Home, { style, width, now, program = "mementor" }: Screen): string[] {
  if (told.length === 0) return [`nothing yet; "${program} told" shows each recall, and why there was none`];
  return told.map((answer) => {
    const { time, event, prompt } = answer;
    const about = prompt === null ? (SUBJECTS[event] ?? event) : `"${oneLine(askedOrPasted(prompt))}"`;
    const line = style.text(`${renderWhen(time, now)}  ${plural(toldTurns(answer), "turn")} for ${about}`);
    return cutToWords(line, Math.max(10, (width ?? WIDTH) - 2), style.ellipsis);
  });
}

/** The first words of what a turn was about; null for a chore, such as a commit, and for a word alone. */
function matterOf({ sessionTitle, title }: TurnSummary): string | null {
  const all = oneLine(headline(sessionTitle ?? title));
  const words = all
    .split(" ")
    .slice(0, QUERY_WORDS)
    .join(" ")
    .replace(/(?<![,;:.])[,;:.]+$/, "");
  return choreShare(all) > MAX_CHORE || !words.includes(" ") || words.includes("[redacted:") ? null : words;
}

function tryLines({ recent }: Home, { width, program = "mementor" }: Screen): string[] {
  const [latest] = recent;
  if (latest === undefined) return [`${program} ingest`, `${program} status`, `${program} doctor`];
  const matter = recent.map(matterOf).find((words) => words !== null);
  // A note is no conversation that could be continued, and what was said on another machine is continued there.
  const conversation = recent.find(
    ({ client, author, device }) => client !== NOTE.client && author === null && device === undefined,
  );
  const commands: [string, string][] = [
    ...(matter === undefined
      ? []
      : [[`${program} search ${shWord(matter)}`, "what was said about it"] as [string, string]]),
    [`${program} show ${latest.turnId}`, "the latest turn, whole"],
    ...(conversation === undefined
      ? []
      : [
          [`${program} show ${conversation.turnId} --resume`, "the command that goes on with it"] as [
            string,
            string,
          ],
        ]),
  ];
  const wide = Math.max(...commands.map(([command]) => widthOf(command)));
  if (width !== null && width < wide + MIN_REMARK) return commands.map(([command]) => command);
  return commands.map(([command, what]) => `${command}${" ".repeat(wide - widthOf(command))}  ${what}`);
}
