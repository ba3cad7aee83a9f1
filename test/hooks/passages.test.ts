import { afterEach, beforeEach, expect, test } from "bun:test";
import { runIn } from "../support/host.ts";
import { HookProject, NOW } from "./hook-project.ts";

const RULE = "Uploads must never be resumed behind the proxy, since it drops the range header.";
const CAUSE =
  "The upload of the shop resumes from zero behind the proxy, because the proxy drops the range header of each part.";

let project: HookProject;
beforeEach(async () => {
  project = new HookProject();
  project.enable();
  const text = `[User] ${RULE}\n\n[Assistant] ${CAUSE}`;
  await project.seed([{ sessionId: "earlier", text, createdAt: "2026-02-03T10:00:00Z" }]);
});
afterEach(() => project[Symbol.dispose]());

test("the list of what was told shows of a turn what stands first in the text", async () => {
  const text = await project.told(
    "user-prompt-submit",
    {
      ...{ session_id: "now", cwd: project.root, hook_event_name: "UserPromptSubmit" },
      prompt: "why does the upload never resume behind the proxy?",
    },
    { env: { MEMENTOR_SEARCH_GATE: "off", MEMENTOR_BUDGETS_PROMPT: "420" } },
  );
  expect(text).toContain(`> the user: ${RULE}`);
  expect(text).not.toContain(CAUSE);
  const { stdout } = await runIn({
    argv: ["told", "--json"],
    ...{ cwd: project.root, homeDir: project.home, now: NOW },
  });
  const { answers } = JSON.parse(stdout);
  const [{ turns }] = answers;
  expect(turns).toMatchObject([{ turn_id: 1, passage: RULE }]);
});
