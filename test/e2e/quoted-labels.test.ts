import { afterAll, beforeAll, expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { enabled } from "../support/enabled.ts";
import { Sandbox } from "../support/sandbox.ts";

const SESSION = "0aba5e00-0000-4000-8000-000000000001";

/** What the assistant says, with labels as a turn's own text has them. */
const ANSWER = [
  "A turn is stored as:",
  "",
  "[User] the walrus is what was asked",
  "",
  "[Tools] none were called",
  "",
  "I go with offsets instead of looking for labels.",
].join("\n");

let sandbox: Sandbox;
let transcript: string;

const entry = (n: number, type: "user" | "assistant", content: unknown) =>
  JSON.stringify({
    type,
    uuid: `0aba5e00-0000-4000-8000-0000000001${String(n).padStart(2, "0")}`,
    sessionId: SESSION,
    cwd: sandbox.project,
    timestamp: `2026-02-01T10:0${n}:00.000Z`,
    message: { role: type, content },
  });

beforeAll(async () => {
  sandbox = await Sandbox.create();
  const folder = sandbox.project.replace(/[^a-zA-Z0-9]/g, "-");
  transcript = join(sandbox.home, ".claude/projects", folder, `${SESSION}.jsonl`);
  const lines = [
    entry(0, "user", "How is a turn stored?"),
    entry(1, "assistant", [{ type: "text", text: ANSWER }]),
    entry(2, "user", "And where does the octopus live?"),
    entry(3, "assistant", [{ type: "text", text: "In the sea." }]),
  ];
  await Bun.$`mkdir -p ${dirname(transcript)}`;
  await Bun.write(transcript, `${lines.join("\n")}\n`);
  await enabled(sandbox);
  await sandbox.run(["ingest", transcript, "--text-only"]);
});

afterAll(() => sandbox[Symbol.asyncDispose]());

test("forgetting the prompt that follows leaves the answer whole", async () => {
  const { exitCode } = await sandbox.run(["forget", "--match", "octopus", "--yes"]);
  expect(exitCode).toBe(0);
  const { stdout } = await sandbox.run(["show", "1", "--json"]);
  const [shown] = [JSON.parse(stdout)].flatMap((value) => value.turns ?? [value]);
  expect(shown.text).toBe(`[User] How is a turn stored?\n\n[Assistant] ${ANSWER}`);
});
