import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "../../store/builders.ts";
import { runIn } from "../../support/host.ts";

const SESSION = { sessionId: "11111111-2222-4333-8444-555555555555", version: "2.1.0", gitBranch: "main" };

interface Listed {
  pr_number: number;
  title: string | null;
  turn_id: number | null;
}

/** A session whose first turn opens two pull requests, and whose second one opens another without a title. */
function transcript(cwd: string): string {
  let minute = 0;
  const said = (type: string, content: unknown) => {
    const timestamp = `2026-11-20T10:0${minute++}:00.000Z`;
    const common = { ...SESSION, cwd, timestamp, uuid: crypto.randomUUID(), parentUuid: null };
    return { ...common, userType: "external", isSidechain: false, type, message: { role: type, content } };
  };
  const calls = (...commands: string[]) =>
    commands.map((command, at) => ({
      type: "tool_use",
      id: `t${minute}${at}`,
      name: "Bash",
      input: { command },
    }));
  const link = (prNumber: number, seconds: number) => ({
    ...{ type: "pr-link", sessionId: SESSION.sessionId, prNumber, prRepository: "ada/kettle" },
    prUrl: `https://github.com/ada/kettle/pull/${prNumber}`,
    timestamp: `2026-11-20T10:0${minute - 1}:${seconds}.000Z`,
  });
  const done = () => said("assistant", [{ type: "text", text: "Done." }]);
  const create = "gh pr create --title";
  return [
    said("user", "Open one for each phase."),
    said("assistant", calls(`${create} "Strip the \\"old\\" crates" --body x`, `${create} "Add the panel"`)),
    link(42, 10),
    link(43, 20),
    done(),
    said("user", "And one for the rest."),
    said("assistant", calls("gh pr create --fill")),
    link(44, 10),
    done(),
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
}

test("a pull request is listed with its title and the turn that opened it", async () => {
  using dir = tempDir();
  const [cwd, homeDir] = [join(dir.path, "project"), join(dir.path, "home")];
  mkdirSync(join(cwd, ".git"), { recursive: true });
  mkdirSync(homeDir);
  const file = join(homeDir, `${SESSION.sessionId}.jsonl`);
  writeFileSync(file, transcript(cwd));
  const now = new Date("2026-11-22T12:00:00Z");
  const run = (...argv: string[]) => runIn({ argv, cwd, homeDir, now, env: { NO_COLOR: "1", TZ: "UTC" } });
  await run("ingest", file, "--text-only");
  const { prs } = JSON.parse((await run("commits", "--prs", "--json")).stdout);
  expect(prs.map((pr: Listed) => [pr.pr_number, pr.title, pr.turn_id])).toEqual([
    [44, null, 2],
    [43, "Add the panel", 1],
    [42, 'Strip the "old" crates', 1],
  ]);
  const listed = (await run("commits", "--prs")).stdout;
  expect(listed).toMatch(/^#43 +Add the panel +1 /m);
  expect(listed).toMatch(/^#44 +Open one for each phase\. +2 /m);
  expect((await run("commits", "--prs", "--pr", "42")).stdout).toContain(
    '\nStrip the "old" crates (turn 1)\n',
  );
});
