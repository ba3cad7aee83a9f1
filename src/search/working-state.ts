import type { Failure } from "../domain.ts";
import { scoredSentences } from "../statement/choose.ts";
import { CUES } from "../statement/cues.ts";
import type { TurnFailures } from "../store/contract/types/browse.ts";
import type { StoredTurn } from "../store/contract/types/stored.ts";
import { textOf } from "../turn/parts.ts";
import type { PartKind } from "../turn/text.ts";
import { ruledIn } from "./worth/settled.ts";

/** Number of rules. */
const MAX_RULES = 3;
/** A rule that goes on to hold; one that only says what should be done next is done by now, or in the summary. */
const LASTING =
  /\b(?:never|always|must(?:n't)?|should(?:n't| not| never| always| only)|from now on|no longer|only (?:when|if|after|with)|nie|niemals|immer|jamais|toujours|nunca|siempre)\b|않(?:게|도록)|말 것|必ず|してはいけ|必须|必須|不要/i;
/** A failure that cost a second attempt and nothing else. */
const SLIP =
  /string to replace|has not been read|modified since|InputValidation|exceeds maximum|does not exist/i;

/** What of a session its summary says less surely than the session did, as far as its last turns show it. */
export interface WorkingState {
  /** The files that it touched last, newest first. */
  files: readonly string[];
  /** The failure that the last turn ended with; null when there is none. */
  failure: LastFailure | null;
  /** What its user ruled, newest first. */
  rules: Quote[];
}

/** A failed tool call, as far as it is known. */
export interface LastFailure {
  turn: StoredTurn;
  /** The summary of the call; null when it is not known which call failed. */
  command: string | null;
  error: string;
}

/** A sentence of a turn, which says whose it is. */
export interface Quote {
  turn: StoredTurn;
  kind: PartKind;
  text: string;
}

/**
 * Returns the state of a session's work, from its last turns, newest first, what failed in them, and the files that it
 * touched. What the agent said is left to the summary, which says it better.
 */
export function workingState(
  turns: readonly StoredTurn[],
  failures: readonly TurnFailures[],
  files: readonly string[],
): WorkingState {
  const rules = turns.flatMap((turn) => {
    const ruled = ruledIn(turn, scoredSentences(turn, { words: [], total: 0 }));
    return ruled === null || !LASTING.test(ruled.text) || CUES.guess.test(ruled.text)
      ? []
      : [{ turn, kind: ruled.kind, text: ruled.text.replaceAll("**", "") }];
  });
  return { files, failure: lastFailure(turns[0], failures), rules: rules.slice(0, MAX_RULES) };
}

/** The failure of a turn's last call. Which call failed is known, or certain because it made only one. */
function lastFailure(turn: StoredTurn | undefined, failures: readonly TurnFailures[]): LastFailure | null {
  const known = failures.find(({ turnId }) => turnId === turn?.turnId);
  if (turn === undefined || known === undefined) return null;
  const last = known.failures.at(-1);
  const failure = last === undefined ? onlyFailure(turn) : failureAt(turn, last);
  return failure === null || SLIP.test(failure.error) ? null : failure;
}

/** After a call that failed others may have got past it: then nobody waits for it. */
function failureAt(turn: StoredTurn, { start, end, call, mended }: Failure): LastFailure | null {
  if (mended || (call !== null && call < turn.toolSummary.length - 1)) return null;
  return {
    turn,
    command: call === null ? null : (turn.toolSummary[call] ?? null),
    error: turn.text.slice(start, end),
  };
}

function onlyFailure(turn: StoredTurn): LastFailure | null {
  const error = textOf(turn, "errors")?.trim();
  const [only = null, ...others] = turn.toolSummary;
  return error ? { turn, command: others.length === 0 ? only : null, error } : null;
}
