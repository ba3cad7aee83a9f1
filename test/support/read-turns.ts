import { readSource } from "../../src/agents/list.ts";
import type { ReadCursor, Turn } from "../../src/domain.ts";
import { composeTurn } from "../../src/ingest/transcript/compose.ts";
import type { RawTurn, TranscriptStep } from "../../src/ingest/transcript/transcript.ts";
import { cleanText } from "../../src/redact/clean.ts";

export interface ReadResult {
  steps: TranscriptStep[];
  turns: Turn[];
  skips: string[];
  /** Of the last step. */
  last: TranscriptStep;
}

/** Reads a transcript to its end, with each entry's own directory as its root unless `rootsOf` knows better. */
export async function readAll(
  path: string,
  options: { from?: ReadCursor | null; stepBytes?: number; rootsOf?: (cwd: string) => string[] } = {},
): Promise<ReadResult> {
  const steps: TranscriptStep[] = [];
  const skips: string[] = [];
  const onSkip = ({ kind, lineIndex }: { kind: string; lineIndex: number }) =>
    skips.push(`${kind} ${lineIndex}`);
  const from = options.from ?? null;
  const stepBytes = options.stepBytes ?? 1 << 20;
  for await (const step of readSource(path, {
    from,
    rootsOf: options.rootsOf ?? ((cwd) => [cwd]),
    redact: cleanText,
    onSkip,
    stepBytes,
  })) {
    steps.push(step);
  }
  const last = steps.at(-1);
  if (!last) throw new Error("a read has at least one step");
  const turns = steps.flatMap((step) => step.turns).flatMap((raw) => composeTurn(raw, new Set()) ?? []);
  return { steps, turns, skips, last };
}

/**
 * Turns of the main conversation that began with what a person said. Work may begin one too, after a compaction for
 * example, and a command that comes into it later is told first all the same.
 */
export function promptedTurns(steps: readonly TranscriptStep[]): RawTurn[] {
  return steps
    .flatMap(({ turns }) => turns)
    .filter(
      ({ role, agentId, entries }) => role === "turn" && agentId === null && entries[0]?.speaker === "user",
    );
}

/** A read as a person would write it down, for comparing with a file. */
export function describeRead({ steps, turns, skips, last }: ReadResult): string {
  const facts = steps.flatMap(({ sessions, subagents, prLinks, compactions }) =>
    [...sessions, ...subagents, ...prLinks, ...compactions].map((fact) => `${JSON.stringify(fact)}\n`),
  );
  const head = `lines ${JSON.stringify(last.lines)}\n${skips.map((skip) => `skip ${skip}\n`).join("")}${facts.join("")}`;
  return head + turns.map(describeTurn).join("");
}

function describeTurn(turn: Turn): string {
  const marks = [
    turn.role,
    turn.origin,
    turn.agentId,
    turn.isSidechain && "sidechain",
    turn.provisional && "provisional",
  ];
  const about = [
    turn.sessionId,
    turn.createdAt,
    turn.endedAt,
    turn.branch,
    turn.cwd,
    turn.model,
    turn.clientVersion,
  ];
  const mentions = turn.mentions
    .map(({ toolName, filePath }) => `mention ${toolName} ${filePath}\n`)
    .join("");
  const commits = turn.commits.map(({ hash, message }) => `commit ${hash} ${message}\n`).join("");
  return `\n--- ${turn.lineIndex} ${marks.filter(Boolean).join(" ")}\n${about.join(" ")}\n${mentions}${commits}\n${turn.text}\n`;
}
