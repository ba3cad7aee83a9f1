import type { MarkKind } from "../store/marks.ts";
import type { Style } from "./style.ts";

/** How a mark is shown beside a turn. */
export const MARK_WORDS: Readonly<Record<MarkKind, string>> = {
  good: "good",
  bad: "bad",
  mute: "muted",
  pin: "pinned",
  undone: "taken back",
  prompt_only: "only the prompt is left",
};

/** Says of a row that only the prompt is left; null of any other row. */
export function promptOnlyWords({ promptOnly }: { promptOnly?: true }): string | null {
  return promptOnly ? MARK_WORDS.prompt_only : null;
}

/** The same in JSON. */
export function promptOnlyJson({ promptOnly }: { promptOnly?: true }): { prompt_only?: true } {
  return promptOnly ? { prompt_only: true } : {};
}

/** Renders marks beside a turn, such as ` [bad] [muted]`; empty without marks. */
export function renderMarkWords(marks: readonly MarkKind[], style: Style): string {
  return marks.map((kind) => ` ${style.yellow(`[${MARK_WORDS[kind]}]`)}`).join("");
}
