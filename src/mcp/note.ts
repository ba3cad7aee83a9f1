import * as v from "valibot";
import { NOTE } from "../constants.ts";
import { dataOf, joinText, named, tell } from "../recall/telling/agent-text.ts";
import { renderNote } from "./save-note.ts";
import { defineTool } from "./tool.ts";

export const noteTool = defineTool({
  name: "note",
  title: "Store a decision",
  description:
    'Store a decision of the user\'s with today\'s date, so that later sessions recall it. Use it when the user asks to remember something ("note that", "from now on"), in one or two sentences that stand alone, with the reason. Not for summaries: the session is remembered anyway.',
  writes: true,
  arguments: {
    text: v.pipe(
      v.string("must be a string"),
      v.trim(),
      v.nonEmpty("must not be empty"),
      v.maxLength(NOTE.maxChars, `must have at most ${NOTE.maxChars} characters`),
      v.description("The decision and its reason"),
    ),
  },
  async answer({ text }, memory) {
    const saved = await memory.note(text);
    const { turnId, sessionId, isRedacted, isNew } = saved;
    return {
      // What the agent said itself, just now.
      text: joinText(renderNote(saved, "agent").split("\n").map(named), "\n"),
      structured: {
        notice: isNew ? tell`The note was stored.` : tell`The same note was stored before.`,
        results: [
          dataOf(
            { author: null, foreign: null },
            { turn_id: turnId, session_id: sessionId, ...(isRedacted && { redacted: true }) },
          ),
        ],
      },
    };
  },
});
