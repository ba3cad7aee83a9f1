import { printable } from "../text/printable.ts";
import { shWord } from "../text/shell-words.ts";

/** How a session can be continued. */
export interface Resumption {
  sessionId: string;
  /** Id of the agent. */
  client: string;
  /** The command line, word by word. */
  words: readonly string[];
  /** The session's directory: agents find a session only there. */
  directory: string | null;
}

/** A resumption as `--json` gives it. */
export function resumeJson({ sessionId, client, words, directory }: Resumption) {
  return { session_id: sessionId, client, command: words, directory };
}

/** Renders the command line for a POSIX shell. */
export function renderResume({ words, directory }: Resumption): string {
  const line = words.map(shWord).join(" ");
  return printable(directory === null ? `${line}\n` : `cd ${shWord(directory)} && ${line}\n`);
}
