import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { wrap } from "../../src/text/width.ts";
import { sampleHistory } from "./history.ts";
import { Sandbox } from "./sandbox.ts";
import { onTerminal } from "./terminal.ts";
import { terminalSvg } from "./terminal-svg.ts";
import { until } from "./wait.ts";

/** Records the README's terminal session with the real binary on the sample transcripts, as an SVG. */
const IMAGES = join(import.meta.dir, "..", "..", ".github", "images");
const COLUMNS = 92;
const CLOCK = { MEMENTOR_NOW: "2026-11-22T12:00:00Z", TZ: "UTC", NO_PAGER: "1" };
const PROMPT = "why did we choose SQLite for the bookmarks and not LMDB?";

await using sandbox = await Sandbox.create();
sampleHistory(sandbox.home, sandbox.project);
const parts = [await typed(["enable"], [["[Y/n/q]", "y\n"]])];
await until("everything is embedded", async () => {
  const { stdout } = await sandbox.run(["status", "--json"]);
  return JSON.parse(stdout).database.content.pending_chunks === 0;
});
parts.push(await typed(["search", "why did we choose sqlite", "-n", "2"]));
parts.push(await typed(["search", "docker compose network", "-n", "1"]));
const input = { session_id: "demo", cwd: sandbox.project, prompt: PROMPT };
await sandbox.hook("user-prompt-submit", input, { env: CLOCK });
const caption = wrap(`# What Claude is told with the prompt "${PROMPT}":`, COLUMNS);
parts.push(caption.map((line) => `\x1b[2m${line}\x1b[22m\n`).join(""));
parts.push(await typed(["told", "1"]));
mkdirSync(IMAGES, { recursive: true });
writeFileSync(join(IMAGES, "terminal.svg"), terminalSvg(parts.join("\n"), COLUMNS));

async function typed(args: string[], answers: readonly (readonly [string, string])[] = []): Promise<string> {
  const { screen, exitCode } = await onTerminal(sandbox, args, {
    columns: COLUMNS,
    rows: 200,
    env: CLOCK,
    typed: answers,
  });
  if (exitCode !== 0) throw new Error(`mementor ${args.join(" ")} exited with ${exitCode}: ${screen}`);
  const line = args.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(" ");
  const shown = screen
    .replaceAll(sandbox.project, "~/tidemark")
    .replaceAll(sandbox.home, "~")
    .split("\n")
    // What was overwritten is not on the screen any more.
    .map((text) => text.split("\x1b[2K").at(-1) ?? "")
    .flatMap((text) => (text.includes("\x1b[") ? [text] : wrap(text, COLUMNS)))
    .join("\n");
  return `\x1b[32m$\x1b[39m \x1b[1mmementor ${line}\x1b[22m\n${shown}`;
}
