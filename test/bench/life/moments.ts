import type { FileCall, History, Row, Session } from "./history.ts";

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
  return inOrder([...chosen, ...(files ? chosen.flatMap(filesAfter) : [])]);
}

function inOrder<Item extends Moment>(moments: Item[]): Item[] {
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
function filesAfter(prompt: PromptMoment): FileMoment[] {
  return rowsAfter(prompt).flatMap(({ row, at }) =>
    row.files.map((file) => ({ ...at, kind: "file" as const, file })),
  );
}

function rowsAfter({ session, line, place }: PromptMoment): { row: Row; at: Point }[] {
  const next = session.rows.findIndex(({ prompt }, at) => at > line && prompt !== null);
  const end = next < 0 ? session.rows.length : next;
  return session.rows
    .slice(line + 1, end)
    .map((row, offset) => ({ row, at: { session, line: line + 1 + offset, time: row.time, place } }));
}

function placeOf(before: number): Place {
  if (before === 0) return "first";
  return before <= 2 ? "second or third" : "later";
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
