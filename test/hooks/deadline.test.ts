import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { HookProject } from "./hook-project.ts";

let project: HookProject;
/** A transcript whose prompt the file hook is asked for. */
let running: string;
beforeEach(async () => {
  project = new HookProject();
  project.enable();
  running = project.file(
    "running.jsonl",
    `${JSON.stringify({ type: "user", uuid: "u1", sessionId: "s", message: { role: "user", content: "Why do uploads keep a retry budget per chunk?" } })}\n`,
  );
  await project.seed([
    {
      sessionId: "old",
      text: "[User] Why do failed uploads retry so often?\n\n[Assistant] An upload in src/upload.ts must retry three times at most, because the retry budget was counted per chunk.",
      mentions: [{ filePath: "src/upload.ts", toolName: "Edit" }],
      createdAt: "2026-02-03T10:00:00Z",
    },
    {
      sessionId: "now",
      text: "[User] Uploads must never be read twice.\n\n[Assistant] I chose ranges over a journal.",
      mentions: [{ filePath: "src/range.ts", toolName: "Read" }],
      lineIndex: 9,
    },
    ...Array.from({ length: 9 }, (_, at) => ({
      sessionId: "older",
      text: `[User] ${at}`,
      createdAt: "2026-02-03T10:00:00Z",
      lineIndex: at,
    })),
  ]);
});
afterEach(() => project[Symbol.dispose]());

const HOOKS = {
  "user-prompt-submit": {
    prompt: "how many times does a failed upload retry per chunk?",
    says: "three times",
  },
  "pre-tool-use": {
    tool_name: "Read",
    tool_input: { file_path: "src/upload.ts" },
    says: "retry budget",
  },
  "subagent-start": { agent_id: "a1", agent_type: "Explore", says: "src/range.ts" },
  "session-start": { source: "compact", says: "a memory of 2 sessions since 2026-02-03" },
};
const EVENTS = Object.keys(HOOKS) as (keyof typeof HOOKS)[];

const PATIENCE = 100;
/** Behind the moment when a hook stops searching, and behind that when it ends. */
const [LATE_MS, OVER_MS] = [1_600 * PATIENCE, 2_600 * PATIENCE];

/** Each call in a session of its own, but for hooks that speak of the session: nothing was told there yet. */
let calls = 0;
async function toldBy(event: keyof typeof HOOKS, elapsedMs: () => number): Promise<string | null> {
  const { says: _, ...fields } = HOOKS[event];
  const speaksOfSession = event === "session-start" || event === "subagent-start";
  const session_id = speaksOfSession ? "now" : `new-${calls++}`;
  // The model is left out: what it takes is counted in test/search. What is told does not depend on the fitted weights.
  const env = {
    MEMENTOR_EMBEDDING_RUNTIME: "wasm",
    MEMENTOR_SEARCH_GATE: "off",
    MEMENTOR_RECALL_COMPACT: "on",
    MEMENTOR_RECALL_SUBAGENT: "on",
    // Only the given clock passes, however busy the machine is.
    MEMENTOR_PATIENCE: String(PATIENCE),
  };
  return project.told(
    event,
    { session_id, cwd: project.root, transcript_path: running, ...fields },
    { elapsedMs, env },
  );
}

/** A clock that stands at 100 ms, and from the given look on at another time. */
function clock(look: number, laterMs: number) {
  let looks = 0;
  const elapsedMs = () => (++looks >= look ? laterMs : 100);
  return { elapsedMs, looks: () => looks };
}

test.each(EVENTS)("%s answers when its deadline passes, at whatever moment", async (event) => {
  const quiet = clock(Number.POSITIVE_INFINITY, 0);
  expect(await toldBy(event, quiet.elapsedMs)).toContain(HOOKS[event].says);
  expect(quiet.looks()).toBeGreaterThan(2);
  for (let look = 2; look <= quiet.looks(); look++)
    expect([look, await toldBy(event, clock(look, LATE_MS).elapsedMs)]).toEqual([
      look,
      expect.stringContaining(HOOKS[event].says),
    ]);
});

test.each(EVENTS)("%s reads nothing more when its time is over, at whatever moment", async (event) => {
  const quiet = clock(Number.POSITIVE_INFINITY, 0);
  await toldBy(event, quiet.elapsedMs);
  const answers: (string | null)[] = [];
  for (let look = 2; look <= quiet.looks(); look++)
    answers.push(await toldBy(event, clock(look, OVER_MS).elapsedMs));
  expect(answers[0]).toBeNull();
  for (const answer of answers) if (answer !== null) expect(answer).toContain(HOOKS[event].says);
});

test("a prompt whose time is over before anything was looked at is recorded as such", async () => {
  for (const look of [2, 3, 4]) {
    const told = await toldBy("user-prompt-submit", clock(look, OVER_MS).elapsedMs);
    if (told === null) expect([look, project.lastDecision()]).toEqual([look, "late"]);
  }
});

test("an answer is given though nothing can be recorded", async () => {
  const input = {
    session_id: "new",
    transcript_path: running,
    cwd: project.root,
    tool_name: "Read",
    tool_input: { file_path: join(project.root, "src/upload.ts") },
  };
  const db = new Database(join(project.memoryDir, "mementor.db"));
  db.run("BEGIN IMMEDIATE");
  try {
    expect(await project.told("pre-tool-use", input)).toContain("retry budget");
  } finally {
    db.close();
  }
});
