import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import * as v from "valibot";
import type { LabelledQuery } from "./prompts.ts";

const VERDICT = v.object({
  query: v.string(),
  session: v.string(),
  /** Whether the session answers the query; `skip` where the person could not say. */
  verdict: v.picklist(["yes", "no", "skip"]),
});

/** What a person said of one session for one query. */
export type Verdict = v.InferOutput<typeof VERDICT>;

const ROOT = resolve(import.meta.dir, "../..");

/** Reads a file of one verdict a line; a file that does not exist yet has none. */
export function readVerdicts(file: string): Verdict[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => v.parse(VERDICT, JSON.parse(line)));
}

/** Adds a verdict to the file, so that nothing is lost when the person stops. */
export function keepVerdict(file: string, verdict: Verdict): void {
  appendFileSync(file, `${JSON.stringify(verdict)}\n`, { mode: 0o600 });
}

/** Whether a file lies in this repository, where verdicts on somebody's history do not belong. */
export function isInRepository(file: string): boolean {
  const path = relative(ROOT, resolve(file));
  return path !== ".." && !path.startsWith("../") && !path.startsWith("/");
}

/** Corrects the labels of queries: every session with a `yes` is right, none with a `no`. The last verdict counts. */
export function withVerdicts(
  queries: readonly LabelledQuery[],
  verdicts: readonly Verdict[],
): LabelledQuery[] {
  const byQuery = Map.groupBy(verdicts, ({ query }) => query);
  return queries.map((labelled) => {
    const sessions = new Set(labelled.sessions);
    for (const { session, verdict } of byQuery.get(labelled.query) ?? []) {
      if (verdict === "yes") sessions.add(session);
      if (verdict === "no") sessions.delete(session);
    }
    return { ...labelled, sessions: [...sessions] };
  });
}
