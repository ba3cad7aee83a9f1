import { join } from "node:path";
import { Browser, CHROMIUM } from "./chromium.ts";
import { Sandbox } from "./sandbox.ts";
import { until } from "./wait.ts";

/** Takes the README's pictures of the report and the card, from the sample transcripts, with a browser. */
const ROOT = join(import.meta.dir, "..", "..");
const IMAGES = join(ROOT, ".github", "images");

await using sandbox = await Sandbox.create();
await run("ingest", join(ROOT, "fixtures", "transcripts", "sample"));
await run("report", "--html", "report.html", "--card", join(IMAGES, "card.svg"));
if (CHROMIUM === null)
  throw new Error(
    "the card is drawn; the report's picture needs Chromium, which MEMENTOR_TEST_CHROMIUM can name",
  );
await using browser = await Browser.start(CHROMIUM);
await browser.open(join(sandbox.project, "report.html"), { width: 1100, height: 1640 });
await browser.evaluate(
  "[...document.querySelectorAll('#rows .title')].find((title) => title.textContent.startsWith('Moving bookmark')).click()",
);
await until("the conversation is shown", () =>
  browser.evaluate<boolean>("document.querySelector('details.turn') !== null"),
);
await browser.evaluate("document.querySelector('details.turn summary').click()");
await browser.evaluate("document.querySelector('#list-title').scrollIntoView()");
await browser.screenshot(join(IMAGES, "report-session.png"));

async function run(...args: string[]): Promise<void> {
  const { exitCode, stderr } = await sandbox.run(args);
  if (exitCode !== 0) throw new Error(`mementor ${args.join(" ")} exited with ${exitCode}: ${stderr}`);
}
