import * as v from "valibot";
import { MementorError } from "../../errors.ts";
import type { Report } from "../../report/report.ts";
import type { Runtime } from "../../runtime.ts";
import type { Filter } from "../../store/filter.ts";
import type { ReadStore } from "../../store/store.ts";
import { defineCommand } from "../command-line/command.ts";
import {
  filterOptions,
  flag,
  hasOnlyTimeRange,
  onByDefault,
  oneOf,
  readOwnTurnsFilter,
  valued,
  viewOptions,
  wholeNumber,
} from "../command-line/option.ts";

/** Default number of files in the text. */
const FILES = 10;
/** The page contains what the memory contains, so only its owner may read it. */
const MODE = 0o600;

export const command = defineCommand({
  name: "report",
  help: { group: "Ask", position: 9 },
  summary: "Write an HTML page of the work, or show it in figures: over time, files, use of recall",
  readsTeam: true,
  arguments: {},
  options: {
    html: valued(
      "file",
      "File to write the page to (default: kept with the memory); - prints it",
      v.string(),
      "o",
    ),
    open: flag("Open the page in a browser"),
    conversations: onByDefault("Leave out what was said"),
    card: valued("file", "File for a picture with statistics to share, SVG of 1200 by 630; - prints it"),
    text: flag("Show the work over time, the busiest files and the use of recall here, and write no page"),
    by: valued(
      "period",
      "With --text: day, week or month (default: depends on the time range)",
      oneOf(["day", "week", "month"]),
    ),
    limit: valued("n", `With --text: number of files (default: ${FILES})`, wholeNumber(1, 1_000), "n"),
    ...viewOptions,
    json: flag("With --text: print JSON"),
    ...filterOptions(),
  },
  examples: [
    "mementor report",
    "mementor report --open",
    "mementor report --html report.html --since 3mo",
    "mementor report --card card.svg",
    "mementor report --text --since 2w --by day",
  ],
  printsData: ({ options }) => options.html === "-" || options.card === "-",
  async run({ options: { html, open, conversations, card, text, by, limit, ...rest } }, runtime) {
    const { json, pager, ...narrowing } = rest;
    const isPage = html !== undefined || card !== undefined || open || !conversations;
    checkForm(text, isPage, json || by !== undefined || limit !== undefined);
    if (text) {
      const { showFigures } = await import("./report/text.ts");
      return showFigures(runtime, { ...narrowing, by, limit: limit ?? FILES, json, pager });
    }
    const isNamed = html !== undefined && html !== "";
    checkCard(card);
    const isCardOnly = !isNamed && !open && card !== undefined && card !== "";
    const file = isNamed ? html : isCardOnly ? undefined : await keptFile(runtime);
    const { openToRead } = await import("../../recall/across/open-to-read.ts");
    await using store = await openToRead(runtime);
    const { buildReport } = await import("../../report/report.ts");
    const { filterWords } = await import("./report/text.ts");
    const filter = await readOwnTurnsFilter(narrowing, runtime, store.browse);
    const [report, { turns }] = [await buildReport(store, filter), await store.browse.activity(filter)];
    const made = { store, filter, report, turns, narrowed: filterWords(narrowing, filter) };
    if (card !== undefined && card !== "") await writeCard(card, made, runtime);
    if (file !== undefined) await writePage(file, { open, conversations }, made, runtime);
    return 0;
  },
});

/** Throws `usage` for options of the page with `--text`, and for options of the text without it. */
function checkForm(text: boolean, isPage: boolean, isText: boolean): void {
  if (text && isPage)
    throw new MementorError("usage", "--text writes no page and no card.", {
      hint: "Leave out the options of the page: mementor report --text",
    });
  if (!text && isText)
    throw new MementorError("usage", "--json, --by and -n are for --text.", {
      hint: "mementor report --text --json",
    });
}

function checkCard(card: string | undefined): void {
  if (card !== undefined && /\.(?:png|jpe?g|gif|webp|pdf|html?)$/i.test(card))
    throw new MementorError("usage", "A card is a picture in SVG.", {
      hint: "Name a file that ends in .svg; a browser shows it, and saves it in other formats.",
    });
}

/** The data of both the page and the card. */
interface ReportData {
  store: ReadStore;
  filter: Filter;
  report: Report;
  /** Start times of turns, ISO 8601, oldest first. */
  turns: readonly string[];
  /** The filters in words; empty without any. */
  narrowed: string;
}

async function recallOf({ store, filter }: ReportData) {
  const { recallStats } = await import("../../report/activity.ts");
  return store.local && hasOnlyTimeRange(filter)
    ? recallStats(await store.local.browse.recalls(filter))
    : null;
}

async function writePage(
  file: string,
  { open, conversations }: { open: boolean; conversations: boolean },
  made: ReportData,
  runtime: Runtime,
): Promise<void> {
  const { renderReport, renderReportWritten } = await import("../../report/page.ts");
  const { packConversations } = await import("../../report/report.ts");
  const { turnsBySession } = await import("../../report/report.ts");
  const { countStreaks } = await import("../../report/activity.ts");
  const { store, filter, report, narrowed } = made;
  const { host } = runtime;
  const ids = report.sessions.map(({ summary }) => summary.sessionId);
  const { notes } = await store.search.totals(filter);
  const page = renderReport({
    report,
    recall: await recallOf(made),
    narrowed,
    conversations: conversations ? await packConversations(turnsBySession(store.exports, ids, filter)) : null,
    days: countStreaks(made.turns, host.now()).days,
    notes,
    project: runtime.projectName,
    now: host.now(),
  });
  if (file === "-") return host.stdout.write(page);
  const { openFile } = await import("../../io/system.ts");
  const { writeAtomic } = await import("../../io/write.ts");
  const { outputFile } = await import("../terminal/pager.ts");
  const isKept = file === (await keptFileOf(runtime));
  const path = isKept ? file : outputFile(file, "--html", runtime);
  writeAtomic(path, page, { mode: MODE, replace: true });
  const isOpened = open && openFile(path, host);
  host.stdout.write(
    renderReportWritten(isKept ? path : file, { ...report.totals, notes }, Buffer.byteLength(page), {
      opening: !open ? "not asked" : isOpened ? "opened" : "failed",
      url: isOpened || (!open && !isKept) ? null : Bun.pathToFileURL(path).href,
    }),
  );
}

async function writeCard(file: string, made: ReportData, runtime: Runtime): Promise<void> {
  const { renderCard } = await import("../../report/card.ts");
  const { renderCardWritten } = await import("../../report/page.ts");
  const { countStreaks, turnsByHour } = await import("../../report/activity.ts");
  const { periodStart } = await import("../../text/when.ts");
  const { host } = runtime;
  const { turns, narrowed } = made;
  if (turns.length === 0 && narrowed !== "")
    throw new MementorError("not_found", `There is nothing to draw: no turn fits ${narrowed}.`);
  const [first, last] = [turns[0], turns.at(-1)];
  const day = (time: string) => periodStart(new Date(time), "day");
  const card = renderCard({
    project: runtime.projectName,
    report: made.report,
    recall: await recallOf(made),
    streaks: countStreaks(turns, host.now()),
    hours: turnsByHour(turns),
    span: first === undefined || last === undefined ? null : [day(first), day(last)],
    narrowed,
  });
  if (file === "-") return host.stdout.write(card);
  const { writeAtomic } = await import("../../io/write.ts");
  const { outputFile } = await import("../terminal/pager.ts");
  // It holds no prompts, and is made to be shared.
  writeAtomic(outputFile(file, "--card", runtime), card, { mode: 0o644, replace: true });
  host.stdout.write(renderCardWritten(file));
}

async function keptFile(runtime: Runtime): Promise<string> {
  const file = await keptFileOf(runtime);
  if (file !== null) return file;
  throw new MementorError("usage", 'The page needs a file when "--db" names the database.', {
    hint: 'Add "--html report.html".',
  });
}

async function keptFileOf(runtime: Runtime): Promise<string | null> {
  if (runtime.databaseUrl !== null) return null;
  const { reportFile } = await import("../../project/leftovers.ts");
  const { directory } = runtime.memory;
  return directory === null ? null : reportFile(directory);
}
