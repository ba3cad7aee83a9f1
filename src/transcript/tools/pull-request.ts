import { type ShellCommand, shellCommands } from "./shell-words.ts";

/** Returns the titles of the pull requests that a shell command opens. */
export function pullRequestTitles(command: string): string[] {
  if (!/\bpr\s+create\b/.test(command)) return [];
  return shellCommands(command).flatMap((simple) => titleOf(simple) ?? []);
}

function titleOf({ words }: ShellCommand): string | null {
  const texts = words.map(({ text }) => text);
  const start = texts.findIndex(
    (text, i) => text === "gh" && texts[i + 1] === "pr" && texts[i + 2] === "create",
  );
  if (start < 0) return null;
  for (let i = start + 3; i < texts.length; i++) {
    const text = texts[i] ?? "";
    if (text === "--title" || text === "-t") return texts[i + 1] ?? null;
    if (text.startsWith("--title=")) return text.slice("--title=".length);
  }
  return null;
}
