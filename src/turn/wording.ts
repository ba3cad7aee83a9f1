import { truncateGraphemes } from "../text/cut.ts";
import { partText, withoutForward } from "./parts.ts";
import { composeText, type PartKind, type TurnText } from "./text.ts";

/** Maximum length of forward context. The rest of a long prompt is only in its own turn. */
export const FORWARD_GRAPHEMES = 1_000;

/** Length from which a prompt or an answer identifies a turn alone. */
const ALONE_CHARS = 80;

/** Start of the answers to an agent's questions, which follow the prompt in a turn's text. */
const ASKED = "\n\nQuestion: ";

/** Hashes that identify a turn by its words in any place: SHA-256 in hex over texts with folded white space. */
export interface Wording {
  /**
   * Hashes of prompt and answer together, of the prompt with the start of a long answer, and of each alone if it is long. A long
   * prompt is also hashed as others quote it.
   */
  turn: readonly string[];
  /** Hash of the forward context, equal to one in `turn` of its own turn; null when it is short or missing. */
  forward: string | null;
  /** The first of `turn`, if prompt and answer together are long enough to distinguish a copy from a coincidence. */
  copy: string | null;
}

/** Returns the hashes that identify a turn by its words. Thinking, tools and errors count only if there are few words. */
export function hashWording(turn: TurnText): Wording {
  const asked = partText(turn, "prompt") ?? partText(turn, "note") ?? "";
  const prompt = asked.split(ASKED, 1)[0] ?? "";
  const answer = folded(answerOf(turn));
  const isLong = folded(prompt).length + answer.length >= ALONE_CHARS;
  // Many turns say "yes" and "Done."; their tools distinguish them.
  const both = digest("both", ...(isLong ? [folded(prompt), answer] : [folded(withoutForward(turn).text)]));
  const quoted = truncateGraphemes(prompt, FORWARD_GRAPHEMES);
  // A copy may end within the turn.
  const begun = answer.slice(0, ALONE_CHARS);
  const alone = [
    begun.length < ALONE_CHARS ? null : digest("start", folded(prompt), begun),
    aloneOf("prompt", prompt),
    aloneOf("prompt", quoted),
    aloneOf("answer", answer),
  ];
  const forward = partText(turn, "forward");
  return {
    turn: [both, ...new Set(alone.filter((value) => value !== null))],
    forward: forward === null ? null : aloneOf("prompt", forward),
    copy: isLong ? both : null,
  };
}

/**
 * A text before secrets were removed. It identifies a forgotten turn, whatever secret rules came later. It cannot be read: only
 * hashes come out of it.
 */
export class UncleanText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Joins texts by blank lines. */
  static join(texts: readonly (string | UncleanText)[]): UncleanText {
    return new UncleanText(texts.map(UncleanText.#reveal).join("\n\n"));
  }

  /** Returns the wording of the turn that these pieces make. The next prompt may be longer than the stored forward context. */
  static wording(pieces: readonly { kind: PartKind; text: string | UncleanText }[]): Wording {
    return hashWording(
      composeText(
        pieces.map(({ kind, text: given }) => {
          const text = UncleanText.#reveal(given);
          return { kind, text: kind === "forward" ? truncateGraphemes(text, FORWARD_GRAPHEMES) : text };
        }),
      ),
    );
  }

  static #reveal(text: string | UncleanText): string {
    return typeof text === "string" ? text : text.#text;
  }
}

function answerOf({ text, parts }: TurnText): string {
  const said = parts.filter(({ kind }) => kind === "narration" || kind === "answer");
  return said.map(({ start, end }) => text.slice(start, end)).join(" ");
}

function aloneOf(kind: string, text: string): string | null {
  const words = folded(text);
  return words.length < ALONE_CHARS ? null : digest(kind, words);
}

function folded(text: string): string {
  return text.normalize("NFC").replace(/\s+/gu, " ").trim();
}

function digest(...words: string[]): string {
  return new Bun.CryptoHasher("sha256").update(JSON.stringify(words)).digest("hex");
}
