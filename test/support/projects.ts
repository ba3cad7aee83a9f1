import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Sandbox } from "./sandbox.ts";

/** What a made-up session consists of: prompts and answers, some with a question that the user answered in between. */
export type Talk = readonly (readonly [prompt: string, answer: string, asked?: AskedUser])[];

interface AskedUser {
  question: string;
  answer: string;
}

/** Makes a real git repository below the sandbox's root and returns its path. */
export async function makeRepository(sandbox: Sandbox, name: string): Promise<string> {
  const path = join(sandbox.root, name);
  mkdirSync(path, { recursive: true });
  await git(path, "init", "-q", "-b", "main");
  await git(path, "commit", "-q", "--allow-empty", "-m", `Start ${name}`);
  return path;
}

/** Runs git without the machine's settings and returns what it prints. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  const env = { PATH: "/usr/bin:/bin", HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
  return (await Bun.$`git ${identity} ${args}`.cwd(cwd).env(env).text()).trim();
}

/** Writes a session of Claude Code in a directory, as that client does, and returns the transcript's path. */
export function writeSession(
  { home }: Pick<Sandbox, "home">,
  cwd: string,
  talk: Talk,
  { day = 3, sessionId = crypto.randomUUID() } = {},
): string {
  const folder = cwd.replace(/[^a-zA-Z0-9]/g, "-");
  const file = join(home, ".claude/projects", folder, `${sessionId}.jsonl`);
  let parentUuid: string | null = null;
  const lines = talk.flatMap(([prompt, answer, asked], turn) =>
    [
      { type: "user", message: { role: "user", content: prompt } },
      ...(asked === undefined ? [] : askedEntries(asked)),
      {
        type: "assistant",
        message: { role: "assistant", model: "claude", content: [{ type: "text", text: answer }] },
      },
    ].map((entry, i) => {
      const uuid = crypto.randomUUID();
      const time = new Date(Date.UTC(2026, 10, day, 9, turn, i * 20)).toISOString();
      const common = {
        uuid,
        parentUuid,
        sessionId,
        cwd,
        version: "2.1.0",
        gitBranch: "main",
        timestamp: time,
      };
      parentUuid = uuid;
      return JSON.stringify({ ...common, userType: "external", isSidechain: false, ...entry });
    }),
  );
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

/** The records of a question of the agent that the user answered. */
function askedEntries({ question, answer }: AskedUser): object[] {
  const [id, questions] = [`toolu_${crypto.randomUUID()}`, [{ question }]];
  const call = { type: "tool_use", id, name: "AskUserQuestion", input: { questions } };
  const result = { type: "tool_result", tool_use_id: id, content: "answered" };
  return [
    { type: "assistant", message: { role: "assistant", model: "claude", content: [call] } },
    {
      type: "user",
      message: { role: "user", content: [result] },
      toolUseResult: { questions, answers: { [question]: answer } },
    },
  ];
}
