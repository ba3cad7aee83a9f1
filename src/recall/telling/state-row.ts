import { NOTE } from "../../constants.ts";
import type { TurnOutcome } from "../../store/browse.ts";
import type { StoredTurn } from "../../store/stored.ts";
import { cutAtWord, shorten } from "../../text/cut.ts";
import { shortHash } from "../../text/identifiers.ts";
import { onOneLine, withoutBold } from "../../text/lines.ts";
import { partText } from "../../turn/parts.ts";
import { unsureWords } from "../../turn/pasted.ts";
import { isAsked } from "../../turn/text.ts";
import { ownPromptText } from "../../turn/title.ts";
import type { MatterState } from "../matter/matter.ts";
import type { Quotation } from "../matter/quotation.ts";
import {
  type AgentText,
  type AnswerItem,
  agentData,
  harmless,
  joinText,
  named,
  type RowWriter,
  rewordText,
  showCommand,
  tell,
  textOfRow,
} from "./agent-text.ts";
import { heldWithWhom, shownDevice } from "./origin.ts";
import { nextWords, tellNext } from "./said.ts";
import { senderLabel, speakerLabel } from "./speaker.ts";

/** What came of the turns of matters. */
export interface MatterOutcomes {
  turns: ReadonlyMap<number, TurnOutcome>;
  /** Numbers of pull requests, by session. */
  prs: ReadonlyMap<string, readonly number[]>;
  /** Files of a turn that were written after it. */
  changed?: ReadonlyMap<number, readonly string[]>;
}

/** A matter as it is told with a prompt, with the turns that it quotes. */
export interface ToldItem extends AnswerItem {
  turnIds: readonly number[];
}

/** How much of a matter is told: statements of its newest state, or all that was said, and states before it. */
export interface Form {
  statements: number | "all";
  older: number;
}
/** Characters of what was asked, and of a statement of the newest state and of one before it. */
const CHARS = { asked: 110, newest: 420, older: 200 } as const;
/** Characters of what the user said next. */
const NEXT_CHARS = 240;
/** Characters of a prompt in which what was asked is looked for. */
const OPENING_CHARS = 2_000;
/** Minimum characters of a shortened statement. */
export const LEAST_CHARS = 60;
/** Characters that one call shows of several turns. */
const SHOWN_CHARS = 4_000;
/** Shown length of a session id. */
export const SESSION_CHARS = 8;

/** How a state is told. */
interface RowOptions {
  outcomes: MatterOutcomes;
  /** True to save room: only the command names the turns, and the user's next words are shorter. */
  isBrief?: boolean;
  /** The start of the command that shows a turn. */
  show?: AgentText;
  statements: Form["statements"];
  isNewest: boolean;
}

/** Renders one conversation: its source, its prompt, its statements with the user's next words, and its outcome. */
export function stateRow(state: MatterState, options: RowOptions): ToldItem {
  const { outcomes, statements, isNewest, isBrief = false, show: command = showCommand() } = options;
  const { found } = state.conversation;
  const isWhole = statements === "all";
  const told = isWhole ? (state.dialogue ?? []) : state.said.slice(0, statements);
  const said = inOrderSaid(told, state);
  const asked = askedIn(state, said);
  const turns = state.conversation.turns.map(({ turnId }) => turnId);
  const commits = turns.flatMap((id) => outcomes.turns.get(id)?.commits ?? []).map(shortHash);
  const prs = outcomes.prs.get(found.sessionId) ?? [];
  const show = told[0]?.turn.turnId ?? found.turnId;
  const came = [
    ...listed("commit ", commits),
    ...listed(
      "pull request ",
      prs.map((pr) => `#${pr}`),
    ),
    ...listed("changed since: ", outcomes.changed?.get(found.turnId) ?? []),
    ...(isNewest && !isWhole
      ? [tell`more: ${command} ${named(wholeOf(state.conversation.turns, show))}`]
      : []),
  ];
  const text = textOfRow(found, (telling) => {
    const facts = joinText(sourceFacts(state, telling, isBrief && isNewest && !isWhole), ", ");
    const question = asked === null ? tell`` : tell`, ${named(asked.who)}: "${telling.say(asked.words)}"`;
    const head = tell`${isNewest ? tell`` : tell`Before that, `}${facts}${question}${isWhole ? tell`, every prompt and answer:` : tell``}`;
    const most = isNewest ? CHARS.newest : CHARS.older;
    const chars = isWhole || (isNewest && isBrief) ? null : most;
    const lines = said.map((quoted) => {
      const isNextBelow = said.some((other) => isNextOf(other, quoted));
      return statementLine(quoted, { chars, isNextBelow, isBrief }, telling.say);
    });
    return joinText([head, ...lines, ...(came.length > 0 ? [joinText(came, "; ")] : [])], "\n");
  });
  const data = agentData(found, {
    turn_id: show,
    turns,
    time: found.createdAt,
    session_id: found.sessionId,
    ...(found.sessionTitle !== null && {
      session_title: onOneLine(harmless(found.sessionTitle)).slice(0, CHARS.asked),
    }),
    ...(found.branch !== null && { branch: onOneLine(harmless(found.branch)).slice(0, CHARS.asked) }),
    ...(found.client === NOTE.client && { note: true }),
    ...(asked !== null && { asked: asked.words }),
    ...(asked?.by != null && { asked_by: asked.by }),
    said: said.map((quoted) => statementData(quoted, isWhole ? null : CHARS.newest)),
    ...(commits.length > 0 && { commits }),
    ...(prs.length > 0 && { pull_requests: prs }),
  });
  return { text, data, turnIds: [found.turnId, ...said.map(({ turn }) => turn.turnId)] };
}

/** Returns a line of the first of several names; none without names. */
function listed(what: string, names: readonly string[]): AgentText[] {
  return names.length === 0 ? [] : [named(`${what}${names.slice(0, 2).map(onOneLine).join(", ")}`)];
}

/** Puts statements in the order in which they were said. */
function inOrderSaid(said: readonly Quotation[], { conversation: { turns } }: MatterState): Quotation[] {
  const place = ({ turn, kind }: Quotation) =>
    2 * turns.findIndex(({ turnId }) => turnId === turn.turnId) + (isAsked(kind) ? 0 : 1);
  return said.toSorted((a, b) => place(a) - place(b));
}

/** Tells whether a user's statement is, or begins, the next words after another statement. */
function isNextOf({ kind, text, turn }: Quotation, { next }: Quotation): boolean {
  return (
    isAsked(kind) && next?.turn?.turnId === turn.turnId && next.text.startsWith(text.slice(0, LEAST_CHARS))
  );
}

/** When, in which session and turns, with which agent, and whose it is. */
function sourceFacts(
  { conversation: { found, turns } }: MatterState,
  { whose }: RowWriter,
  isBrief: boolean,
): AgentText[] {
  const held = heldWithWhom(found);
  const session = tell`session ${named(found.sessionId.slice(0, SESSION_CHARS))}`;
  return [
    named(found.createdAt?.slice(0, 10) ?? "undated"),
    ...(isBrief ? [] : [session, named(turnsOf(turns.map(({ turnId }) => turnId)))]),
    ...(held === null ? [] : [named(held)]),
    ...(found.device === undefined ? [] : [tell`said on ${named(shownDevice(found.device))}`]),
    ...whose().map((each) => rewordText(each, (name) => onOneLine(harmless(name)))),
  ];
}

function statementLine(
  quoted: Quotation,
  { chars, isNextBelow, isBrief }: { chars: number | null; isNextBelow: boolean; isBrief: boolean },
  say: (words: string) => AgentText,
): AgentText {
  const next = isNextBelow ? tell`` : tellNext(quoted, say, isBrief ? undefined : NEXT_CHARS);
  return tell`> ${named(speakerLabel(quoted))}: ${say(wordsOf(quoted, chars))}${next}`;
}

/** A quotation on one line, shortened to so many characters; whole where that is null. */
export function wordsOf({ text }: Quotation, chars: number | null): string {
  const words = onOneLine(withoutBold(harmless(text)));
  return chars === null ? words : shorten(words, chars);
}

function statementData(quoted: Quotation, chars: number | null) {
  const next = nextWords(quoted, NEXT_CHARS);
  return {
    by: speakerLabel(quoted),
    text: wordsOf(quoted, chars),
    ...(next !== null && { next: `${next.speaker}: ${next.words}` }),
  };
}

/** Returns a conversation's first prompt, and its author if that is not a person; null for a note, or where a quoted statement says the same. */
function askedIn(
  { conversation }: MatterState,
  said: readonly Quotation[],
): { words: string; who: string; by: string | null } | null {
  const [first] = conversation.turns;
  const prompt = first === undefined ? null : partText(first, "prompt");
  if (prompt === null || first?.client === NOTE.client || first?.role !== "turn") return null;
  const opening = prompt.slice(0, OPENING_CHARS);
  const own = ownPromptText(opening);
  const asked = onOneLine(harmless(own === "" ? unsureWords(opening) : own));
  if (asked === "") return null;
  if (said.some(({ kind, text }) => isAsked(kind) && asked.startsWith(onOneLine(text).slice(0, LEAST_CHARS))))
    return null;
  const by = senderLabel(first);
  const words = asked.length <= CHARS.asked ? asked : cutAtWord(asked, CHARS.asked);
  return { words, who: by ?? (own === "" ? "typed or pasted" : "asked"), by };
}

/**
 * Returns the argument of the follow-up command: all turns of a conversation if one call can show them, else the most relevant
 * turn.
 */
function wholeOf(turns: readonly StoredTurn[], turnId: number): string {
  const ids = turns.map((turn) => turn.turnId);
  const [first, last] = [Math.min(...ids), Math.max(...ids)];
  const chars = turns
    .flatMap((turn) => [partText(turn, "prompt"), partText(turn, "answer")])
    .reduce((sum, text) => sum + (text?.length ?? 0), 0);
  const isRange = ids.length > 1 && last - first + 1 === ids.length && chars <= SHOWN_CHARS;
  return isRange ? `${first}-${last}` : `${turnId}`;
}

function turnsOf(ids: readonly number[]): string {
  const [first, last] = [Math.min(...ids), Math.max(...ids)];
  return first === last ? `turn ${first}` : `turns ${first}-${last}`;
}
