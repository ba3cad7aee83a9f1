import { renderInjected } from "./injected.ts";

/** Renders a session's files for its subagent, newest first, one per line; null when there are none. */
export function renderSubagentFiles(files: readonly string[], budget: number): string | null {
  const lines = files.map((file) => `- ${file.replace(/\s+/g, " ")}`);
  return renderInjected("Files that this session touched, the latest first:", lines, budget);
}
