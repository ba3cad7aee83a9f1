import highlighter from "@highlightjs/cdn-assets/highlight.min.js" with { type: "text" };
import type { Held } from "../../store/contract/types/stored.ts";
import { heldWords } from "../held.ts";
import { oneLine } from "../list.ts";
import { plural } from "../plural.ts";
import { pageData, type ReportPage } from "./data.ts";
import { escapeXml, markup } from "./markup.ts";
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

export type { ReportPage } from "./data.ts";

/** Colours code. What could end its script block, or start a comment in it, is written as an escape. */
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
${markup(escapeXml(data.project), data.totals.sessions === 0)}
<script type="application/json" id="data">${scriptJson(data)}</script>
${conversations.join("")}${highlight.map((text) => `<script>${text}</script>\n`).join("")}<script type="module">${script}</script>
</body>
</html>
`;
}

/** Renders the message after the page was written. `url` is the address to open by hand. */
export function renderReportWritten(
  file: string,
  held: Held,
  bytes: number,
  { opening, url }: { opening: "not asked" | "opened" | "failed"; url: string | null },
): string {
  const size = bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
  const how = {
    "not asked": "It needs no network; open it in a browser",
    opened: "It opens in a browser",
    failed:
      "It could not be opened: there is no desktop here, or no program that opens files. Open it in a browser",
  }[opening];
  return `Wrote ${oneLine(file)}: ${heldWords(held)}, ${size}. ${how}${url === null ? "." : `: ${url}`}\n`;
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
