import * as v from "valibot";
import type { Leaf } from "./leaves.ts";

/** What each setting does, in a line. */
const MEANINGS: Readonly<Record<string, string>> = {
  "recall.prompt": "tell an agent, with a prompt, what earlier sessions settled",
  "recall.file": "tell it, before it reads or edits a file, what was said of that file",
  "recall.failure": "tell it, after a command or another tool failed, what got past the same error before",
  "recall.invite": "tell it and its subagents, at their start, that it can ask the memory, when and how",
  "recall.agentNotes": "tell notes that agents wrote, marked as such",
  "recall.related": "other projects whose memories answer prompts, too",
  "budgets.prompt": "most characters that are told with a prompt, or about a file",
  "search.k": "how many turns a search returns",
  "search.promptK": "most turns that are told with a prompt",
  "search.gate": "how surely a turn must be worth telling; strict tells less",
  "exclude.paths": "files of which nothing is stored",
  "exclude.projects": "projects in which nothing is read or told",
  "embedding.model": "the model of new memories; mementor model use changes that of this one",
  "embedding.runtime": "what runs the model",
  "embedding.wasmInHooks": "run the model in hooks even where that takes a second",
  "embedding.saveEnergy": "in the background, use half of the cores on battery, and pause for other programs",
  "team.keepDays": "keep turns of colleagues for so many days; 0 for all",
  "team.keepTurns": "how many turns of colleagues are kept, the newest",
  "team.servers": "servers that --db may connect to, beside those that you joined",
  "team.trust": "whose turns hooks may tell",
  "team.recall": "let hooks tell turns of colleagues",
  "log.level": "how much is logged",
};

/** Says what a setting does. Throws for one without a meaning, which is a mistake of this program. */
export function meaningOf({ key }: Leaf): string {
  const meaning = MEANINGS[key];
  if (meaning === undefined) throw new Error(`the setting ${key} has no meaning`);
  return meaning;
}

/** Says which values a setting takes, in the words of its own complaint: `true or false`. */
export function allowedValues({ schema }: Leaf): string {
  const nothing = v.safeParse(schema, Symbol("no value of a setting"));
  return nothing.issues?.[0]?.message.replace(/^must be /, "") ?? "";
}
