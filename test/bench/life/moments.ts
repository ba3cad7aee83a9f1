import type { FileCall, History, Session } from "./history.ts";

/** Where a prompt stands in its session. */
export type Place = "first" | "second or third" | "later";

/** Where something is asked: just before a line of a session. */
interface Point {
  session: Session;
  line: number;
  time: string;
  place: Place;
}

export interface PromptMoment extends Point {
  kind: "prompt";
  prompt: string;
}

export interface FileMoment extends Point {
  kind: "file";
  file: FileCall;
}

export type Moment = PromptMoment | FileMoment;

/** Which prompts of a history are asked. */
export interface Choice {
  /** All when left out. */
  isWanted?: (prompt: PromptMoment) => boolean;
  /** How many, drawn at random with a seed; all of them when null. */
  sample?: { size: number; seed: number } | null;
  /** Also before each Read, Edit and Write that follows a chosen prompt. */
  files?: boolean;
}

/** Lists when something is asked, in the order of time. */
export function momentsOf({ corpus, sessions }: History, { isWanted, sample, files }: Choice = {}): Moment[] {
  const prompts = sessions.flatMap(promptsOf).filter((prompt) => isWanted?.(prompt) ?? true);
  const draw = ({ session, line }: Point) =>
    Bun.hash.xxHash32(`${sample?.seed} ${corpus} ${session.id} ${line}`);
  const chosen = sample
    ? prompts.toSorted((a, b) => draw(a) - draw(b)).slice(0, Math.max(0, sample.size))
    : prompts;
  const moments = [...chosen, ...(files ? chosen.flatMap(filesAfter) : [])];
  return moments.sort(
    (a, b) => compare(a.time, b.time) || compare(a.session.id, b.session.id) || a.line - b.line,
  );
}

function promptsOf(session: Session): PromptMoment[] {
  let before = 0;
  return session.rows.flatMap(({ prompt, time }, line) =>
    prompt === null
      ? []
      : [{ kind: "prompt" as const, session, line, time, place: placeOf(before++), prompt }],
  );
}

/** Returns the calls up to the session's next prompt. */
function filesAfter({ session, line, place }: PromptMoment): FileMoment[] {
  const moments: FileMoment[] = [];
  for (let at = line + 1; at < session.rows.length; at++) {
    const row = session.rows[at];
    if (row === undefined || row.prompt !== null) break;
    for (const file of row.files)
      moments.push({ kind: "file", session, line: at, time: row.time, place, file });
  }
  return moments;
}

function placeOf(before: number): Place {
  if (before === 0) return "first";
  return before <= 2 ? "second or third" : "later";
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
