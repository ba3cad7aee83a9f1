import type { LocalBrowseStore, SearchStore } from "../store/contract/store.ts";
import type { FileTouch } from "../store/contract/types/browse.ts";
import type { StoredTurn } from "../store/contract/types/stored.ts";
import { compareTimes } from "../text/times.ts";
import { type FileFailure, failureOf, isSlip, laterOf } from "./file-failure.ts";
import { type Statement, statementAbout } from "./statement-about.ts";
import { type Voice, voiceOf } from "./voice.ts";

/** Number of turns to read for statements: of how many sessions, and how many of each. */
const READ = { sessions: 2, turnsOfFirst: 3, turnsOfOthers: 2 } as const;
/** Number of turns before them in which the newest session may have decided. */
const MAX_EARLIER = 3;
/** Number of turns with errors to look at. */
const MAX_FAILED = 3;

/** What earlier turns say about a file. */
export interface FilePast {
  /** What was decided about it, or else stated, by `voiceOf`. */
  statements: ReadonlyMap<string, StatementOfTurn>;
  /** Its latest failure, and who tells of it; null when none is known. */
  failure: (FileFailure & Voice) | null;
}

export interface PastDeps {
  browse: Pick<LocalBrowseStore, "failures" | "laterCalls" | "neighbours">;
  search: Pick<SearchStore, "turns">;
  /** Turns that must not be quoted. */
  hidden: ReadonlySet<number>;
}

/** A statement, the turn that it is from, and who speaks there. */
export interface StatementOfTurn extends Statement, Voice {
  turnId: number;
}

type Statements = Map<string, StatementOfTurn>;
type Turns = ReadonlyMap<number, StoredTurn>;

/** Reads what turns that touched a file say about it, and what failed in them. `touches` has those that changed it first. */
export async function filePast(
  path: string,
  touches: readonly FileTouch[],
  { browse, search, hidden }: PastDeps,
): Promise<FilePast> {
  const quoted = turnsToQuote(touches);
  const failed = await browse.failures(touches.map(({ turnId }) => turnId));
  const touchOf = new Map(touches.map((touch) => [touch.turnId, touch]));
  const latest = failed
    .flatMap((each) => ({ ...each, touch: touchOf.get(each.turnId) }))
    .sort((a, b) => compareTimes(b.touch?.createdAt, a.touch?.createdAt))
    .slice(0, MAX_FAILED);
  const ids = [...new Set([...quoted, ...latest].map(({ turnId }) => turnId))];
  const turns: Turns = new Map((await search.turns(ids)).map((turn) => [turn.turnId, turn]));
  const statements = statementsOf(quoted, turns, path);
  await addEarlier(statements, quoted, path, { browse, hidden });
  const found = latest.flatMap(({ turnId, touch, failures }) => {
    const turn = turns.get(turnId);
    const failure = turn && touch ? failureOf(turn, failures, touch, path) : null;
    return turn && failure ? [{ turn, failure }] : [];
  });
  const last = found.find(({ failure }) => !isSlip(failure)) ?? found[0];
  if (last === undefined) return { statements, failure: null };
  const { turn, failure } = last;
  const later = failure.mended ? null : await laterOf(turn, failure, { touches, failed }, browse);
  return { statements, failure: { ...failure, ...whose(turn), createdAt: turn.createdAt, later } };
}

function whose({ sessionId, author, foreign }: Voice): Voice {
  return { sessionId, author, foreign };
}

/** Returns the newest turns of a few sessions. */
function turnsToQuote(touches: readonly FileTouch[]): FileTouch[] {
  const sessions = [...Map.groupBy(touches, voiceOf).values()];
  return sessions
    .slice(0, READ.sessions)
    .flatMap((turns, i) => turns.slice(0, i === 0 ? READ.turnsOfFirst : READ.turnsOfOthers));
}

/** Returns the newest decision of each voice, or else its newest statement. */
function statementsOf(quoted: readonly FileTouch[], turns: Turns, path: string): Statements {
  const statements: Statements = new Map();
  for (const { turnId, ...touch } of quoted) {
    const turn = turns.get(turnId);
    const voice = voiceOf(touch);
    const statement = turn ? statementAbout(turn, path) : null;
    const known = statements.get(voice);
    if (statement && (known === undefined || (statement.isDecision && !known.isDecision)))
      statements.set(voice, { ...statement, ...whose(touch), turnId });
  }
  return statements;
}

/**
 * Often one turn decides and a later one changes the files. If the turns of the newest session decided nothing, this
 * adds the last decision before them that has a word in common with the path or with what the session is about.
 */
async function addEarlier(
  statements: Statements,
  quoted: readonly FileTouch[],
  path: string,
  { browse, hidden }: Pick<PastDeps, "browse" | "hidden">,
): Promise<void> {
  const [newest] = quoted;
  const voice = newest && voiceOf(newest);
  if (newest === undefined || voice === undefined || statements.get(voice)?.isDecision) return;
  const first = quoted.findLast((touch) => voiceOf(touch) === voice) ?? newest;
  const about = wordsOf(`${path} ${newest.sessionTitle ?? first.firstWords}`);
  const { before } = await browse.neighbours(first.turnId, MAX_EARLIER);
  for (const turn of before.reverse()) {
    const isSilent = hidden.has(turn.turnId) || voiceOf(turn) !== voice;
    const statement = isSilent ? null : statementAbout(turn, path);
    if (!statement?.isDecision || wordsOf(statement.text).isDisjointFrom(about)) continue;
    statements.set(voice, { ...statement, ...whose(turn), turnId: turn.turnId });
    return;
  }
}

/** Returns the longer words of a text, in lower case. */
function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{5,}/gu));
}
