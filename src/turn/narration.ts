import type { TurnPart } from "./text.ts";

/**
 * Returns the parts as programs know them that do not tell narration apart: it is part of the answer. What a team shares
 * has this form, so that members with an older program read it, and nothing is shared again for its kinds alone.
 */
export function withoutNarration(parts: readonly TurnPart[]): TurnPart[] {
  const joined: TurnPart[] = [];
  for (const { kind, start, end } of parts) {
    const known = kind === "narration" ? "answer" : kind;
    const last = joined.at(-1);
    if (known === "answer" && last?.kind === "answer") last.end = end;
    else joined.push({ kind: known, start, end });
  }
  return joined;
}
