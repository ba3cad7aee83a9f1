import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { layOut, layOutHidden } from "./checkout.ts";
import { placeOf } from "./places.ts";
import { CONDITIONS, type Condition } from "./prepare.ts";
import type { Task } from "./tasks.ts";
import { passingFiles } from "./test-runs.ts";

/** What an agent made of a task. */
export interface Grade {
  task: string;
  kind: Task["kind"];
  condition: Condition;
  changed: string[];
  visible: boolean;
  hidden: boolean;
  /** Its last message says that it guessed; null without one. */
  saysGuess: boolean | null;
  calls: number;
  characters: number;
}

/** What is no part of a fix: tests, and what `enable` leaves. */
const NOT_GRADED = /^(test|\.claude|\.mementor|\.git)\//;
const SAYS_GUESS =
  /\bguess|\bassum(e|ed|ption|ing)\b|\barbitrar|\bmy (own )?(choice|call)\b|\bI (chose|picked|opted)\b|\bun(specified|documented|decided)\b|\b(no|not) (earlier |prior |recorded |documented )?(records?|decisions?|rule|settled|decided|documented|specified|stated)\b/i;

/** Grades every task that was played, in each condition, by visible and hidden tests in clean checkouts. */
export async function grade(directory: string, tasks: readonly Task[]): Promise<Grade[]> {
  const checkouts = mkdtempSync(join(tmpdir(), "mementor-ask-"));
  try {
    const played = [];
    for (const condition of CONDITIONS)
      for (const task of tasks) {
        const place = placeOf(directory, condition, task.id);
        if (!existsSync(place.repo)) continue;
        const changed = await changedFiles(place.repo);
        const answer = readOr(place.answer, null);
        const calls = readOr(place.calls, "").trim().split("\n").filter(Boolean);
        if (changed.length === 0 && answer === null && calls.length === 0) continue;
        const name = `${condition}-${task.id}`;
        const hidden = checkOut(task, join(checkouts, name), place.repo, changed);
        played.push({ task, condition, name, changed, answer, calls, hidden });
      }
    if (played.length === 0) return [];
    const passing = await passingFiles(checkouts);
    return played.map(({ task, condition, name, changed, answer, calls, hidden }) => ({
      ...{ task: task.id, kind: task.kind, condition, changed },
      visible: task.visible.every((file) => passing.has(`${name}/${file}`)),
      hidden: hidden.every((file) => passing.has(`${name}/${file}`)),
      saysGuess: answer === null ? null : saysGuess(answer),
      calls: calls.length,
      characters: calls.reduce((sum, line) => sum + Number.parseInt(line, 10), 0),
    }));
  } finally {
    rmSync(checkouts, { recursive: true, force: true });
  }
}

/** Tells whether an agent admits that it did not know the rule; "not a guess" is no such word. */
function saysGuess(answer: string): boolean {
  return SAYS_GUESS.test(
    answer.replaceAll(/\b(not?|without|rather than) (a |an |any )?(guess|assumption)/gi, ""),
  );
}

/** Copies what an agent changed over a clean checkout, and returns the names of the hidden tests in it. */
function checkOut(task: Task, checkout: string, repo: string, changed: readonly string[]): string[] {
  layOut(task, "repo", checkout);
  for (const file of changed) {
    rmSync(join(checkout, file), { force: true });
    if (!existsSync(join(repo, file))) continue;
    mkdirSync(dirname(join(checkout, file)), { recursive: true });
    cpSync(join(repo, file), join(checkout, file));
  }
  return layOutHidden(task, checkout);
}

async function changedFiles(repo: string): Promise<string[]> {
  const [first = "HEAD"] = (await Bun.$`git rev-list --max-parents=0 HEAD`.cwd(repo).text()).split("\n");
  const changed = await Bun.$`git diff --name-only ${first} && git ls-files --others --exclude-standard`
    .cwd(repo)
    .text();
  return [...new Set(changed.split("\n"))].filter((file) => file !== "" && !NOT_GRADED.test(file)).sort();
}

function readOr<T>(file: string, missing: T): string | T {
  return existsSync(file) ? readFileSync(file, "utf8") : missing;
}
