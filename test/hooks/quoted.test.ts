import { afterEach, beforeEach, expect, test } from "bun:test";
import { HookProject } from "./hook-project.ts";

const CAUSE = "The proxy drops the range header, so an upload never resumes behind it.";
const QUOTED =
  "According to the notes, the proxy drops the range header, so an upload never resumes behind it.";
const AMENDED = QUOTED.replace(/\.$/, ", but no longer since its update.");
const QUESTION = "why does the upload never resume behind the proxy?";

let project: HookProject;
beforeEach(() => {
  project = new HookProject();
  project.enable();
});
afterEach(() => project[Symbol.dispose]());

/** Seeds a turn, and a later one of a session that was told it. */
async function seed(later: string, { isTold = true } = {}): Promise<void> {
  const said = (answer: string) => `[User] Why does the resume of an upload fail?\n\n[Assistant] ${answer}`;
  await project.seed([
    { sessionId: "first", text: said(CAUSE), createdAt: "2026-02-01T10:00:00Z" },
    { sessionId: "later", text: said(later), createdAt: "2026-02-08T10:00:00Z" },
  ]);
  const told = { sessionId: "later", event: "user-prompt-submit", time: "2026-02-08T09:59:00Z" };
  if (isTold) await project.withStore(({ journal }) => journal.recordTold({ ...told, turnIds: [1] }));
}

const ask = () =>
  project.told(
    "user-prompt-submit",
    { session_id: "now", cwd: project.root, hook_event_name: "UserPromptSubmit", prompt: QUESTION },
    { env: { MEMENTOR_SEARCH_GATE: "off" } },
  );

test("what an agent quoted of what it was told is told from where it was said first, and once", async () => {
  await seed(QUOTED);
  const text = await ask();
  expect(text).toContain(CAUSE);
  expect(text).not.toContain("According to the notes");
  expect(await ask()).toBeNull();
});

test("what an agent quoted and amended is told", async () => {
  await seed(AMENDED);
  expect(await ask()).toContain("but no longer since its update");
});

test("a quotation of which the user ruled something else is told with that", async () => {
  await seed(QUOTED);
  const ruling = "No, from now on an upload must always resume behind the proxy, from the last part.";
  const next = { sessionId: "later", createdAt: "2026-02-08T10:05:00Z" };
  await project.seed([{ ...next, lineIndex: 9, text: `[User] ${ruling}\n\n[Assistant] Noted.` }]);
  const text = await ask();
  expect(text).toContain(ruling);
  expect(text).toContain("According to the notes");
});

test("what a session said that was not told it is no quotation", async () => {
  await seed(QUOTED, { isTold: false });
  expect(await ask()).toContain("According to the notes");
});

test("the quotation of a muted turn is not told", async () => {
  await seed(QUOTED);
  await project.withStore(({ marks }) => marks.mark(1, "mute"));
  expect(await ask()).toBeNull();
});
