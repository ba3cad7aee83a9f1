import type { BrowseStore } from "../../store/store.ts";
import type { StoredTurn } from "../../store/stored.ts";
import { partText } from "../../turn/parts.ts";
import { isSaid } from "../../turn/text.ts";
import { RANKED_CHARS } from "../read-to-rank.ts";
import { continuesMatter, continuingTurns, EARLIER_TURNS, LATER_TURNS } from "./settled.ts";

/** Consecutive turns of one session on the same matter. */
export interface Conversation {
  /** The turn that the search found. */
  found: StoredTurn;
  turns: readonly StoredTurn[];
  /** All turns of the session that were loaded, including those before and after the conversation. */
  around: readonly StoredTurn[];
  /** True when the session has hardly any other turns. */
  isShort: boolean;
}

/** Characters of a turn that describe its subject: the start of its prompt and of its calls, and both ends of its answer. */
const ABOUT = { prompt: 1_500, said: 2_000 } as const;

/** Returns the turns around a turn that continue its matter. */
export async function findConversation(
  found: StoredTurn,
  store: Pick<BrowseStore, "neighbours">,
): Promise<Conversation> {
  const around = await store.neighbours(found.turnId, LATER_TURNS, RANKED_CHARS);
  // An imported turn may carry another session's id without belonging to this conversation.
  const isOwn = ({ foreign, author }: StoredTurn) => foreign === found.foreign && author === found.author;
  const [before, after] = [around.before.filter(isOwn), around.after.filter(isOwn)];
  // If either side returned its full limit, there may be more turns.
  const isAll = before.length < LATER_TURNS && after.length < LATER_TURNS;
  const isShort = isAll && before.length + after.length < EARLIER_TURNS + LATER_TURNS;
  let from = before.length;
  while (from > 0 && (isShort || before.length - from < EARLIER_TURNS)) {
    const [earlier, next] = [before[from - 1], before[from] ?? found];
    if (earlier === undefined || !continuesMatter(next, earlier, isShort)) break;
    from--;
  }
  const turns = [...before.slice(from), found, ...continuingTurns(found, after, isShort)];
  return { found, turns, around: [...before, found, ...after], isShort };
}

/** Tells whether a turn belongs to a conversation. */
export function includesTurn({ turns }: Conversation, { turnId }: StoredTurn): boolean {
  return turns.some((turn) => turn.turnId === turnId);
}

/** Joins two conversations that share turns, in order. */
export function mergeTurns(one: Conversation, other: Conversation): Conversation {
  const { found, isShort } = one;
  return { found, isShort, turns: joined(one.turns, other.turns), around: joined(one.around, other.around) };
}

/** Joins two overlapping stretches of one session. */
function joined(one: readonly StoredTurn[], other: readonly StoredTurn[]): StoredTurn[] {
  const isLater = other.findIndex(({ turnId }) => turnId === one[0]?.turnId) > 0;
  const [first, second] = isLater ? [other, one] : [one, other];
  const known = new Set(first.map(({ turnId }) => turnId));
  return [...first, ...second.filter(({ turnId }) => !known.has(turnId))];
}

/** Returns the turn after one of a conversation; null for the last turn of its session. */
export function turnAfter({ around }: Conversation, turn: StoredTurn): StoredTurn | null {
  return around[around.findIndex(({ turnId }) => turnId === turn.turnId) + 1] ?? null;
}

/** Returns the words that describe a conversation's subject: its prompts, its answers, and its files and calls. */
export function subjectText({ turns }: Conversation): string {
  return turns
    .map((turn) => {
      const said = turn.parts
        .filter(({ kind }) => isSaid(kind) && kind !== "thinking")
        .map(({ start, end }) => turn.text.slice(start, end))
        .join("\n");
      const ends =
        said.length <= 2 * ABOUT.said ? said : `${said.slice(0, ABOUT.said)}\n${said.slice(-ABOUT.said)}`;
      const prompt = (partText(turn, "prompt") ?? partText(turn, "note") ?? "").slice(0, ABOUT.prompt);
      return `${prompt}\n${ends}\n${turn.toolSummary.join("\n").slice(0, ABOUT.prompt)}`;
    })
    .join("\n");
}
