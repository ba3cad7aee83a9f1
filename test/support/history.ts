import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderName } from "../../src/agents/claude-code/project-sessions.ts";

const SAMPLE = join(
  import.meta.dir,
  "..",
  "..",
  "fixtures",
  "transcripts",
  "sample",
  "projects",
  "-home-dev-tidemark",
);

/** Puts the sample conversations, or those with these names, where Claude Code would have left them for a project. */
export function sampleHistory(home: string, project: string, names = readdirSync(SAMPLE)): void {
  const folder = historyFolder(home, project);
  for (const name of names) cpSync(join(SAMPLE, name), join(folder, name), { recursive: true });
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".jsonl")) continue;
    const file = join(folder, name);
    writeFileSync(
      file,
      readFileSync(file, "utf8").replaceAll("/home/dev/tidemark", JSON.stringify(project).slice(1, -1)),
    );
  }
}

/** Puts many conversations there, enough to be interrupted in; returns how many turns they have. */
export function longHistory(home: string, project: string, sessions: number, turnsEach: number): number {
  const folder = historyFolder(home, project);
  for (let session = 0; session < sessions; session++) {
    const lines = Array.from({ length: turnsEach }, (_, turn) => exchange(project, session, turn)).flat();
    writeFileSync(join(folder, `${idOf(session, 0)}.jsonl`), `${lines.join("\n")}\n`);
  }
  return sessions * turnsEach;
}

/** A transcript of one session with twenty turns. */
export function longTranscript(project: string): string {
  return `${Array.from({ length: 20 }, (_, turn) => exchange(project, 0, turn))
    .flat()
    .join("\n")}\n`;
}

function historyFolder(home: string, project: string): string {
  const folder = join(home, ".claude", "projects", folderName(project));
  mkdirSync(folder, { recursive: true });
  return folder;
}

function exchange(cwd: string, session: number, turn: number): string[] {
  const common = {
    cwd,
    sessionId: idOf(session, 0),
    timestamp: new Date(Date.UTC(2026, 0, 1 + session, 0, turn)).toISOString(),
  };
  const text = `Answer ${turn} about part ${session}. ${"It goes on for a while, as answers do. ".repeat(60)}`;
  return [
    {
      ...common,
      type: "user",
      uuid: idOf(session, 2 * turn + 1),
      message: { role: "user", content: `What is part ${session} step ${turn} for?` },
    },
    {
      ...common,
      type: "assistant",
      uuid: idOf(session, 2 * turn + 2),
      message: { id: `m${session}-${turn}`, role: "assistant", content: [{ type: "text", text }] },
    },
  ].map((entry) => JSON.stringify(entry));
}

function idOf(session: number, entry: number): string {
  return `${session.toString(16).padStart(8, "0")}-0000-4000-8000-${entry.toString(16).padStart(12, "0")}`;
}
