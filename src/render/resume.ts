import { agentName } from "../agents/names.ts";
import { printable } from "../text/printable.ts";
import { shWord } from "../text/shell-words.ts";
import { oneLine } from "./list.ts";

/** How a session can be continued. */
export interface Resumption {
  sessionId: string;
  /** Id of the agent. */
  client: string;
  /** The command line, word by word. */
  words: readonly string[];
  /** The session's directory: agents find a session only there. */
  directory: string | null;
  /** Whether that directory does not exist, as after a move. */
  isGone: boolean;
  /** The member of the team on whose machine the session lies; null for this one. */
  author: string | null;
}

/** A resumption as `--json` gives it. */
export function resumeJson({ sessionId, client, words, directory, isGone, author }: Resumption) {
  return { session_id: sessionId, client, command: words, directory, directory_is_gone: isGone, author };
}

/** Renders the command line for a POSIX shell. What it needs first stands in a comment of the shell. */
export function renderResume({ words, directory, client, isGone, author }: Resumption): string {
  const line = words.map(shWord).join(" ");
  if (author !== null)
    return `# On the machine of ${oneLine(author)}, in the clone of the project:\n${printable(line)}\n`;
  if (directory === null) return printable(`${line}\n`);
  const needs = isGone
    ? `# The directory is gone. ${agentName(client)} finds the session only there: make it again first.\n`
    : "";
  return printable(`${needs}cd ${shWord(directory)} && ${line}\n`);
}
