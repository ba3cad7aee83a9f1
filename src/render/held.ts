import type { Held } from "../store/stored.ts";
import { plural } from "./plural.ts";

/** Says what a memory or a part of it holds, such as "158 turns of 24 sessions, 4 notes". */
export function heldWords({ turns, sessions, notes }: Held): string {
  const noted = notes > 0 && plural(notes, "note");
  const said = (turns > 0 || !noted) && `${plural(turns, "turn")} of ${plural(sessions, "session")}`;
  return [said, noted].filter(Boolean).join(", ");
}
