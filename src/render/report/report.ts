import { oneLine } from "../list.ts";
import { plural } from "../plural.ts";
import { pageData, type ReportPage } from "./data.ts";
import { markup } from "./markup.ts";
import style from "./page/page.css" with { type: "text" };
import { pageScript } from "./script.ts";

export type { ReportPage } from "./data.ts";

/**
 * Renders a self-contained page: markup, style, script and data. Its content security policy allows only this script and
 * style, by their hashes, and no requests. The same report gives the same bytes.
 */
export function renderReport(page: ReportPage): string {
  const script = pageScript();
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
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
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${markup(escapeHtml(data.project), data.totals.sessions === 0)}
<script type="application/json" id="data">${scriptJson(data)}</script>
<script type="module">${script}</script>
</body>
</html>
`;
}

/** Renders the message after the page was written. */
export function renderReportWritten(file: string, sessions: number, bytes: number): string {
  const size = bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
  return `Wrote ${oneLine(file)}: ${plural(sessions, "session")}, ${size}. It needs no network; open it in a browser.\n`;
}

function hashOf(text: string): string {
  return `sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);
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
