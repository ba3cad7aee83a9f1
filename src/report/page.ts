import highlighter from "@highlightjs/cdn-assets/highlight.min.js" with { type: "text" };
import { oneLine } from "../agents/notices.ts";
import type { Origin } from "../domain.ts";
import { otherClient, ownerLabel } from "../recall/telling/origin.ts";
import type { MemoryContents } from "../store/stored.ts";
import { truncateGraphemes } from "../text/cut.ts";
import { contentsText, plural } from "../text/numbers.ts";
import { sessionName } from "../turn/title.ts";
import type { RecallStats } from "./activity.ts";
import { escapeXml } from "./card.ts";
import chrome from "./page/chrome.client.js" with { type: "text" };
import conversation from "./page/conversation.client.js" with { type: "text" };
import data from "./page/data.client.js" with { type: "text" };
import detail from "./page/detail.client.js" with { type: "text" };
import dom from "./page/dom.client.js" with { type: "text" };
import heat from "./page/heat.client.js" with { type: "text" };
import link from "./page/link.client.js" with { type: "text" };
import main from "./page/main.client.js" with { type: "text" };
import style from "./page/page.css" with { type: "text" };
import prose from "./page/prose.client.js" with { type: "text" };
import table from "./page/table.client.js" with { type: "text" };
import timeline from "./page/timeline.client.js" with { type: "text" };
import type { Conversation, Report, ReportSession } from "./report.ts";

/** The input of a page. */
export interface ReportPage {
  report: Report;
  /** The newest sessions' conversations, as many as fit on a page; null without conversations. */
  conversations: readonly Conversation[] | null;
  /** Number of notes, which are not sessions and appear in no list. */
  notes: number;
  /** Local days with a turn. */
  days: number;
  /** Null when a filter applies, since recalls are counted for the whole memory, and for a team's database. */
  recall: RecallStats | null;
  /** The filters in words; empty without any. */
  narrowed: string;
  /** Name of the project. */
  project: string;
  now: Date;
}

const TITLE_GRAPHEMES = 200;
const MESSAGE_GRAPHEMES = 160;
const PATH_GRAPHEMES = 300;
const NARROWED_GRAPHEMES = 600;

/** Returns the data for the page's script. Frequent objects become arrays to save space; all texts are safe to show. */
function pageData(shownPage: ReportPage) {
  const { report, conversations, days, recall, narrowed, project, now } = shownPage;
  const paths = new Numbering();
  const branches = new Numbering();
  const turnIds = new Map(conversations?.map((each) => [each.sessionId, each.turnIds]));
  const sessions = report.sessions.map((session) => ({
    ...sessionData(session, paths, branches),
    turnIds: turnIds.get(session.summary.sessionId) ?? null,
  }));
  const { period, starts, rows } = report.heat;
  return {
    project: shown(project, TITLE_GRAPHEMES),
    made: now.toISOString(),
    hasConversations: conversations !== null,
    narrowed: shown(narrowed, NARROWED_GRAPHEMES),
    totals: { ...report.totals, days, notes: shownPage.notes },
    recall: recall && {
      prompts: recall.given + recall.silent,
      given: recall.given,
      told: recall.turnsTold,
      used: recall.turnsUsed,
    },
    sessions,
    usual: report.usual,
    heat: {
      period,
      starts,
      rows: rows.map(({ path, touches, counts }) => [paths.of(shown(path, PATH_GRAPHEMES)), touches, counts]),
    },
    paths: paths.names,
    branches: branches.names,
  };
}

function sessionData(
  { summary, files, commits, prs, near }: ReportSession,
  paths: Numbering,
  branches: Numbering,
) {
  return {
    id: summary.sessionId,
    title: shown(sessionName(summary), TITLE_GRAPHEMES),
    prompt: summary.firstPrompt === null ? null : shown(summary.firstPrompt, TITLE_GRAPHEMES),
    start: summary.startedAt ?? summary.endedAt,
    end: summary.endedAt,
    branch: summary.branch === null ? -1 : branches.of(shown(summary.branch, MESSAGE_GRAPHEMES)),
    turns: summary.turns,
    fileCount: summary.files,
    files: files.map(({ path, touches, changes }) => [
      paths.of(shown(path, PATH_GRAPHEMES)),
      touches,
      changes,
    ]),
    commits: commits.map(({ hash, message }) => [shown(hash, 12), shown(message, MESSAGE_GRAPHEMES)]),
    prs: prs.map(({ prNumber, prUrl, prRepository }) => [
      prNumber,
      webAddress(prUrl),
      shown(prRepository, MESSAGE_GRAPHEMES),
    ]),
    client: otherClient(summary.client),
    automated: summary.automated,
    whose: whoseOf(summary),
    near,
  };
}

/** Returns the owner of a session; null for a local one. */
function whoseOf(summary: Origin): string | null {
  const whose = ownerLabel(summary);
  return whose === null ? null : shown(whose, MESSAGE_GRAPHEMES);
}

function shown(text: string, graphemes: number): string {
  return truncateGraphemes(oneLine(text), graphemes);
}

/** Returns an address that is safe as a link; null for schemes other than http and https. */
function webAddress(url: string): string | null {
  const address = URL.parse(url);
  return address?.protocol === "https:" || address?.protocol === "http:" ? address.href : null;
}

/** Numbers texts in order of their first use. */
class Numbering {
  readonly names: string[] = [];
  readonly #numbers = new Map<string, number>();

  of(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.names.length);
    return this.names.push(name) - 1;
  }
}

/** Highlights code. Escapes everything that could end its script block or start a comment in it. */
const HIGHLIGHTER = highlighter.replace(/<(?=!--|\/?script)/g, "\\x3c");

/**
 * Renders a self-contained page: markup, style, script and data. Its content security policy allows only this script and
 * style, by their hashes, and no requests. The same report gives the same bytes.
 */
export function renderReport(page: ReportPage): string {
  const script = pageScript();
  const ids = new Map(page.report.sessions.map(({ summary }, i) => [summary.sessionId, i]));
  const conversations = (page.conversations ?? []).map(
    ({ sessionId, packed }) =>
      `<script type="text/plain" id="talk-${ids.get(sessionId)}">${packed}</script>\n`,
  );
  const highlight = conversations.length === 0 ? [] : [HIGHLIGHTER];
  const policy = [
    "default-src 'none'",
    `script-src ${[script, ...highlight].map((text) => `'${hashOf(text)}'`).join(" ")}`,
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const data = pageData(page);
  const title = `${data.project} in ${plural(data.totals.sessions, "session")}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${escapeXml(title)}</title>
<style>${style}</style>
</head>
<body>
${renderMarkup(escapeXml(data.project), data.totals.sessions === 0)}
<script type="application/json" id="data">${scriptJson(data)}</script>
${conversations.join("")}${highlight.map((text) => `<script>${text}</script>\n`).join("")}<script type="module">${script}</script>
</body>
</html>
`;
}

/** Renders the message after the page was written. `url` is the address to open by hand. */
export function renderReportWritten(
  file: string,
  held: MemoryContents,
  bytes: number,
  { opening, url }: { opening: "not asked" | "opened" | "failed"; url: string | null },
): string {
  const size = bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
  const how = {
    "not asked": "It needs no network; open it in a browser",
    opened: "It opens in a browser",
    failed: "It could not be opened: there is no desktop, or no program to open files. Open it in a browser",
  }[opening];
  return `Wrote ${oneLine(file)}: ${contentsText(held)}, ${size}. ${how}${url === null ? "." : `: ${url}`}\n`;
}

/** Renders the message after a card was written. */
export function renderCardWritten(file: string): string {
  return `Wrote ${oneLine(file)}, an SVG picture of 1200 by 630.\n`;
}

function hashOf(text: string): string {
  return `sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}`;
}

/** Characters that could end a script block, start a comment in it, break a line of JavaScript or hide text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const UNSAFE = /[<>&\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Renders JSON that cannot end its script block, whatever it contains. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    UNSAFE,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The modules, each before those that import it. */
const MODULES = [dom, data, chrome, timeline, heat, prose, conversation, detail, table, link, main];

/** Joins the page's modules into one script without imports and exports, so that all names are in one scope. */
export function pageScript(): string {
  return MODULES.map((module) =>
    module.replace(/^import [^;]*;\n/gm, "").replace(/^export (?=function|const|let)/gm, ""),
  ).join("");
}

/** Renders the static part of the page; its script fills the rest. `project` must be escaped HTML. */
function renderMarkup(project: string, isEmpty: boolean): string {
  return `<header class="top">
  <div>
    <p class="maker">mementor</p>
    <h1><bdi>${project}</bdi></h1>
    <p id="span" class="note"></p>
  </div>
  <button type="button" id="theme" class="plain" hidden></button>
</header>
<noscript><p class="empty">This page needs JavaScript, which is turned off.</p></noscript>
<main>
${isEmpty ? EMPTY : SECTIONS}
</main>
<footer class="note">
  <p id="made"></p>
</footer>
<div id="tip" role="status" aria-live="polite" hidden></div>`;
}

const EMPTY = '<p class="empty" id="empty">No sessions.</p>';

const SECTIONS = `<dl id="figures"></dl>
<section aria-labelledby="time-title">
  <h2 id="time-title">Sessions over time</h2>
  <p class="note" id="time-note"></p>
  <div id="legend" role="group" aria-label="Show one branch"></div>
  <div id="timeline" class="chart"></div>
</section>
<section aria-labelledby="heat-title">
  <h2 id="heat-title">Busiest files</h2>
  <p class="note" id="heat-note"></p>
  <div id="heat" class="chart"></div>
</section>
<section aria-labelledby="list-title">
  <h2 id="list-title">All sessions</h2>
  <div class="tools">
    <input type="search" id="search" placeholder="Title, file, branch, commit" aria-label="Search sessions" autocomplete="off" spellcheck="false">
    <label class="sorting">Sort by <select id="sort"></select></label>
    <button type="button" id="clear" class="plain" hidden>Show all</button>
    <p id="count" role="status" class="note"></p>
  </div>
  <table>
    <thead><tr id="head"></tr></thead>
    <tbody id="rows"></tbody>
  </table>
  <div id="more" aria-hidden="true"></div>
</section>`;
