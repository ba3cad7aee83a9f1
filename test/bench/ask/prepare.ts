import {
  chmodSync,
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { uuidOf } from "../settled-transcript.ts";
import { layOut } from "./checkout.ts";
import { type Program, runProgram, sharedDatabase } from "./memory.ts";
import { type Place, placeOf } from "./places.ts";
import type { Task } from "./tasks.ts";

/** What the agent has: nothing, the text at the session's start, or the text of the prompt hook. */
export const CONDITIONS = ["none", "invited", "hook"] as const;
export type Condition = (typeof CONDITIONS)[number];

const ANSWER = v.object({ hookSpecificOutput: v.object({ additionalContext: v.string() }) });

/** Lays out tasks under a directory, so that an agent can play each of them. */
export async function prepare(
  directory: string,
  binary: string,
  condition: Condition,
  tasks: readonly Task[],
): Promise<void> {
  const cache = join(directory, "cache");
  const database = condition === "none" ? null : await sharedDatabase(directory, binary, cache);
  for (const task of tasks) {
    const place = placeOf(directory, condition, task.id);
    rmSync(place.root, { recursive: true, force: true });
    await layOutRepository(task, place.repo);
    mkdirSync(place.home, { recursive: true });
    const texts = { invitation: "", told: "" };
    if (database !== null) {
      const program = { binary, cache, home: place.home };
      await giveMemory(program, place, database);
      writeWrapper(program, place);
      Object.assign(texts, await askHooks(program, place, task));
      writeFileSync(place.invitation, texts.invitation);
      writeFileSync(place.told, texts.told);
    }
    const before = condition === "invited" ? texts.invitation : texts.told;
    writeFileSync(place.prompt, `${[before, task.prompt].filter(Boolean).join("\n\n")}\n`);
  }
}

async function layOutRepository(task: Task, repo: string): Promise<void> {
  layOut(task, "repo", repo);
  const identity = ["-c", "user.name=lendry", "-c", "user.email=dev@lendry.invalid"];
  await Bun.$`git init -q -b main && git add -A && git ${identity} commit -q -m "Split the package off"`.cwd(
    repo,
  );
}

/** Enables the memory in the task's repository as a user would who brings the one with all conversations. */
async function giveMemory(program: Program, { repo }: Place, database: string): Promise<void> {
  mkdirSync(join(repo, ".mementor"), { recursive: true });
  copyFileSync(database, join(repo, ".mementor/mementor.db"));
  await runProgram(program, repo, ["enable", "--adopt", "--no-history", "--yes"]);
  linkBinary(program);
}

/** Puts a link to the program in its HOME, since a copy for each task takes gigabytes. */
function linkBinary({ binary, home }: Program): void {
  const target = join(home, ".local/share/mementor/bin/mementor");
  rmSync(target, { force: true });
  try {
    linkSync(binary, target);
  } catch {
    copyFileSync(binary, target);
  }
}

/** Puts a `mementor` on the agent's PATH that works for this task wherever it is called, and counts its calls. */
function writeWrapper({ binary, cache, home }: Program, { repo, bin, calls }: Place): void {
  mkdirSync(bin, { recursive: true });
  const wrapper = join(bin, "mementor");
  writeFileSync(
    wrapper,
    `#!/bin/sh
cd '${repo}' || exit 1
export HOME='${home}' XDG_CACHE_HOME='${cache}'
[ "$1" = hook ] && exec '${binary}' "$@"
out=$('${binary}' "$@"; echo "exit $?")
code=\${out##*exit }
out=\${out%exit *}
printf '%s' "$out"
printf '%s\\t%s\\n' "$(printf '%s' "$out" | LC_ALL=C.UTF-8 wc -m)" "$(printf '%s ' "$@" | tr '\\n\\t' '  ')" >>'${calls}'
exit "$code"
`,
  );
  chmodSync(wrapper, 0o755);
}

/**
 * Asks the hooks what they tell at the session's start and at the prompt, and puts back what the memory was before. The registry
 * stays where it is: a copy of it does not count.
 */
async function askHooks(
  program: Program,
  { root, repo, bin }: Place,
  task: Task,
): Promise<{ invitation: string; told: string }> {
  const { home } = program;
  const [data, kept] = [join(home, ".local/share/mementor"), join(root, "before")];
  cpSync(data, kept, { recursive: true });
  const session_id = uuidOf(`plays ${task.id}`);
  const common = {
    session_id,
    transcript_path: join(home, `.claude/projects/x/${session_id}.jsonl`),
    cwd: repo,
  };
  const ask = async (event: string, payload: object) => {
    const stdin = JSON.stringify({ ...common, ...payload });
    const path = `${bin}:/usr/bin:/bin`;
    const stdout = await runProgram(program, repo, ["hook", event], { stdin, path });
    return stdout.trim() && v.parse(ANSWER, JSON.parse(stdout)).hookSpecificOutput.additionalContext;
  };
  const invitation = await ask("session-start", { hook_event_name: "SessionStart", source: "startup" });
  const told = await ask("user-prompt-submit", {
    ...{ permission_mode: "default", hook_event_name: "UserPromptSubmit", prompt: task.prompt },
  });
  // A worker of the hooks may still write: what it has open is moved away first.
  const asked = join(root, "asked");
  renameSync(data, asked);
  renameSync(kept, data);
  rmSync(asked, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  linkBinary(program);
  return { invitation, told };
}
