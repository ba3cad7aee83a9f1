import { shWord } from "../../src/text/lines.ts";
import { sampleHistory } from "./history.ts";
import { BINARY, Sandbox } from "./sandbox.ts";

/** Shows the main job on the sample conversations with the real binary, in a HOME of its own that is gone afterwards. */
const QUESTION = "why did we choose SQLite with FTS5 for the bookmarks instead of LMDB?";

await using sandbox = await Sandbox.create();
sampleHistory(sandbox.home, sandbox.project);
show(["enable", "--yes"], await run(["enable", "--yes"]));
// The hook answers by meaning.
await run(["ingest", "--now"]);
show(["search", QUESTION, "-n", "2"], await run(["search", QUESTION, "-n", "2"]));
const input = { session_id: "demo", cwd: sandbox.project, prompt: `I wonder ${QUESTION}` };
const { hookSpecificOutput: told } = JSON.parse(
  await run(["hook", "user-prompt-submit"], JSON.stringify(input)),
);
print(`\nWhat Claude is told with the prompt "${input.prompt}":\n\n${inHome(told.additionalContext)}\n`);
print(`
Next, put it on your PATH, and switch it on in a project of yours:

  mkdir -p ~/.local/bin && ln -sf ${shWord(BINARY)} ~/.local/bin/ && export PATH="$HOME/.local/bin:$PATH"
  cd YOUR-PROJECT && mementor enable
`);

async function run(args: string[], stdin?: string): Promise<string> {
  const { exitCode, stdout, stderr } = await sandbox.run(args, stdin === undefined ? {} : { stdin });
  if (exitCode !== 0) throw new Error(`mementor ${args.join(" ")} exited with ${exitCode}: ${stderr}`);
  return stdout;
}

function show(args: readonly string[], printed: string): void {
  const words = args.map((word) => (/\s/.test(word) ? `"${word}"` : word));
  print(`\n$ mementor ${words.join(" ")}\n${inHome(printed)}`);
}

/** The text as it would be in a HOME that stays. */
function inHome(text: string): string {
  return text.replaceAll(sandbox.project, "~/tidemark").replaceAll(sandbox.home, "~");
}

function print(text: string): void {
  process.stdout.write(text);
}
