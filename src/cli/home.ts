import { basename } from "node:path";
import { oneLine } from "../agents/notices.ts";
import { HOOK_LIMITS, NOTE } from "../constants.ts";
import { type MementorError, sentence } from "../errors.ts";
import { parsePayload } from "../hooks/payload.ts";
import type { Host, Input } from "../host.ts";
import { currentBranch } from "../io/git/project.ts";
import { statIfExists } from "../io/read.ts";
import { withTimeout } from "../io/within.ts";
import { memoryRefusal } from "../project/refusal.ts";
import { isTrusted } from "../project/trust.ts";
import { choreShare } from "../recall/chore.ts";
import { Runtime } from "../runtime.ts";
import type { TurnSummary } from "../store/browse.ts";
import type { HookAnswerRow } from "../store/journal.ts";
import type { MemoryTotals } from "../store/stored.ts";
import { headline } from "../text/headline.ts";
import { printable } from "../text/invisible.ts";
import { shWord } from "../text/lines.ts";
import { contentsText, plural } from "../text/numbers.ts";
import { cutToWords, widthOf } from "../text/width.ts";
import { askedOrPasted } from "../turn/title.ts";
import { wordsOfTurn } from "./commands/recent.ts";
import { eventWord, toldTurns } from "./commands/told/text.ts";
import { PIPE_WIDTH, renderWhen, type Screen } from "./terminal/screen.ts";
import { screenOf } from "./terminal/view.ts";

/** Rows of each list, and the turns and answers among which they are looked for: no notes, and what told something. */
const ROWS = { recent: 3, turns: 100, told: 3, answers: 100 } as const;

/** Shows how things are in an enabled project; elsewhere a short help. `memoryOptions` are those that name the project. */
export async function showHome(host: Host, memoryOptions: readonly string[] = []): Promise<number> {
  const runtime = new Runtime(host, { memoryOptions });
  const home = await homeOf(runtime).catch(() => null);
  const screen = screenOf(runtime);
  host.stdout.write(
    home === null
      ? renderShortHelp(screen, memoryRefusal(runtime.paths, runtime.project.root))
      : renderHome(home, screen),
  );
  return 0;
}

/** Returns what is to be shown; null where the project is not enabled, or has no memory yet. */
async function homeOf(runtime: Runtime): Promise<Home | null> {
  const { paths, project, memory } = runtime;
  if (!isTrusted(paths, project.root) || (await runtime.origin()) !== "own") return null;
  if (statIfExists(memory.databaseFile) === null) return null;
  await using store = await runtime.openStore("readonly");
  const answers = await store.journal.answers({ limit: ROWS.answers });
  return {
    name: basename(project.root),
    branch: currentBranch(project),
    totals: await store.search.totals(),
    recent: whereWorkStood(await store.browse.recent(ROWS.turns, {})),
    told: answers.filter(({ decision }) => decision === "told").slice(0, ROWS.told),
  };
}

/** Returns the latest turns: notes, which are no work, only where there is nothing else. */
function whereWorkStood(latest: readonly TurnSummary[]): TurnSummary[] {
  const turns = latest.filter(({ client }) => client !== NOTE.client);
  return (turns.length > 0 ? turns : latest).slice(0, ROWS.recent);
}

/** What `mementor` alone shows in an enabled project. */
export interface Home {
  name: string;
  branch: string | null;
  totals: MemoryTotals;
  /** The latest turns, newest first. */
  recent: readonly TurnSummary[];
  /** The latest answers that told something, newest first. */
  told: readonly HookAnswerRow[];
}

/** Columns that a remark on a command needs. */
const MIN_REMARK = 30;
/** Words of a title in a command to try. */
const QUERY_WORDS = 6;
/** Share of chore words above which a text names no subject. */
const MAX_CHORE = 0.4;

/** Renders where the work stood, what was told lately, and three things to try. */
export function renderHome(home: Home, screen: Screen): string {
  const { style } = screen;
  const facts = [home.branch && `on ${oneLine(home.branch)}`, contentsText(home.totals)]
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
function renderShortHelp(
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
  const room = Math.max(12, (width ?? PIPE_WIDTH) - numbers - timeWidth - 8);
  return recent.map((turn, at) => {
    const words = cutToWords(style.text(oneLine(wordsOfTurn(turn))), room, style.ellipsis);
    return `${`${turn.turnId}`.padStart(numbers)}  ${(times[at] ?? "").padEnd(timeWidth)}  ${words}`;
  });
}

function toldLines({ told }: Home, { style, width, now, program = "mementor" }: Screen): string[] {
  if (told.length === 0) return [`nothing yet; "${program} told" shows each recall, and why there was none`];
  return told.map((answer) => {
    const { time, event, prompt } = answer;
    const about = prompt === null ? eventWord(event) : `"${oneLine(askedOrPasted(prompt))}"`;
    const line = style.text(`${renderWhen(time, now)}  ${plural(toldTurns(answer), "turn")} for ${about}`);
    return cutToWords(line, Math.max(10, (width ?? PIPE_WIDTH) - 2), style.ellipsis);
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
  // Notes and sessions from other machines cannot be continued here.
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

/**
 * Tells whether the input is that of a hook: one JSON object. A client that does not know `args` starts the bare program, and
 * would take whatever it prints for the answer to a prompt.
 */
export async function isHookInput(stdin: Input): Promise<boolean> {
  if (stdin.isTerminal) return false;
  const bytes = await withTimeout(HOOK_LIMITS.inputMs, stdin.read(HOOK_LIMITS.inputBytes)).catch(() => null);
  return bytes !== null && parsePayload(bytes) !== null;
}
