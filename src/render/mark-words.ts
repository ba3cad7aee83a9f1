import type { MarkKind } from "../store/contract/types/marks.ts";
import type { Style } from "./style.ts";

/** How a mark is shown beside a turn. */
export const MARK_WORDS: Readonly<Record<MarkKind, string>> = {
  good: "good",
  bad: "bad",
  mute: "muted",
  pin: "pinned",
  undone: "taken back",
};

/** Renders marks beside a turn, such as ` [bad] [muted]`; empty without marks. */
export function renderMarkWords(marks: readonly MarkKind[], style: Style): string {
  return marks.map((kind) => ` ${style.yellow(`[${MARK_WORDS[kind]}]`)}`).join("");
}
