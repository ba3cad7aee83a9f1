import { join } from "node:path";
import { BINARY, Sandbox } from "./sandbox.ts";

/** Shows the main job on the sample transcripts with the real binary, in a HOME of its own that is gone afterwards. */
const SAMPLE = join(import.meta.dir, "..", "..", "fixtures", "transcripts", "sample");
const QUESTION = "why did we choose SQLite with FTS5 for the bookmarks instead of LMDB?";

await using sandbox = await Sandbox.create();
await show("ingest", SAMPLE);
await show("search", QUESTION, "-k", "3");
await show("enable", "--no-history");
await show("hook", "user-prompt-submit");
process.stdout.write(`\nThe binary is ${BINARY}\n`);

async function show(...args: string[]): Promise<void> {
  const isHook = args[0] === "hook";
  const stdin = JSON.stringify({ session_id: "demo", cwd: sandbox.project, prompt: `I wonder ${QUESTION}` });
  const shown = args.map((argument) => (/\s/.test(argument) ? `"${argument}"` : argument)).join(" ");
  process.stdout.write(
    `\n$ mementor ${shown.replace(SAMPLE, "fixtures/transcripts/sample")}${isHook ? ` <<< '${stdin}'` : ""}\n`,
  );
  const { exitCode, stdout, stderr } = await sandbox.run(args, isHook ? { stdin } : {});
  process.stdout.write(`${stdout}${isHook ? "\n" : ""}`);
  if (exitCode !== 0) throw new Error(`mementor ${shown} exited with ${exitCode}: ${stderr}`);
}
