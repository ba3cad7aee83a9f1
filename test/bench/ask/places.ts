import { join } from "node:path";

/** Where everything of a task lies that was laid out. */
export interface Place {
  root: string;
  /** The agent's working directory. */
  repo: string;
  /** With the memory. */
  home: string;
  /** For the agent's PATH. */
  bin: string;
  /** The user's prompt, with what the condition puts before it. */
  prompt: string;
  invitation: string;
  told: string;
  /** The agent's last message. */
  answer: string;
  /** A line for each call of the memory: characters printed, a tab, the arguments. */
  calls: string;
}

/** Returns where a task is laid out. */
export function placeOf(directory: string, condition: string, id: string): Place {
  const root = join(directory, condition, id);
  return {
    root,
    repo: join(root, "repo"),
    home: join(root, "home"),
    bin: join(root, "bin"),
    prompt: join(root, "PROMPT.md"),
    invitation: join(root, "INVITATION.md"),
    told: join(root, "TOLD.md"),
    answer: join(root, "ANSWER.md"),
    calls: join(root, "calls.tsv"),
  };
}
