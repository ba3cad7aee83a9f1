import * as v from "valibot";
import {
  type Commit,
  type FileMention,
  type PrLink,
  type SessionFacts,
  type SubagentFacts,
  TURN_ORIGINS,
  type TurnFacts,
} from "../../../domain.ts";
import { PART_KINDS } from "../../../turn/text.ts";
import type { TeamChunk, TeamTurn } from "../../team.ts";
import { isText } from "./limits.ts";

/** A turn's row with its session. */
export interface TurnRow
  extends Omit<TurnFacts, "lineIndex" | "provisional" | "role" | "cwd">,
    Pick<SubagentFacts, "agentType" | "task">,
    Pick<SessionFacts, "title" | "firstPrompt"> {
  id: number;
  client: string;
  automated: boolean;
  sessionBranch: string | null;
  titleSource: string | null;
  isFirst: boolean;
  origin: string;
  text: string;
  parts: string;
  failures: string | null;
  toolSummary: string;
  promptUuid: string | null;
}

export interface Belongings {
  chunks: TeamChunk[];
  mentions: FileMention[];
  commits: Commit[];
  links: PrLink[];
  vectorModel: TeamTurn["vectorModel"];
}

const offset = v.pipe(v.number(), v.integer(), v.minValue(0));
const PartsSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.tuple([v.picklist(PART_KINDS), offset, offset])),
);
const FailuresSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.tuple([offset, offset, v.nullable(offset), v.picklist([0, 1])])),
);
const ToolsSchema = v.pipe(v.string(), v.parseJson(), v.array(v.string()));
const time = v.nullable(v.pipe(v.string(), v.isoTimestamp()));

const RowSchema = v.object({
  sessionId: v.pipe(v.string(), v.nonEmpty()),
  origin: v.picklist(TURN_ORIGINS),
  titleSource: v.nullable(v.picklist(["summary", "custom-title", "ai-title"])),
  parts: PartsSchema,
  failures: v.nullable(FailuresSchema),
  toolSummary: ToolsSchema,
  createdAt: time,
  endedAt: time,
});

/** Returns a turn as a colleague sent it; null when its row does not hold a turn, which no mementor writes. */
export function turnOf(row: TurnRow, { chunks, vectorModel, ...belongings }: Belongings): TeamTurn | null {
  const checked = v.safeParse(RowSchema, row);
  if (!checked.success || !isText(row.text)) return null;
  const { parts, failures, toolSummary, origin, titleSource } = checked.output;
  const fits = (start: number, end: number) => start <= end && end <= row.text.length;
  if (!parts.every(([, start, end]) => fits(start, end))) return null;
  if (!chunks.every(({ start, end }) => start >= 0 && fits(start, end))) return null;
  return {
    session: {
      sessionId: row.sessionId,
      client: row.client,
      automated: row.automated,
      branch: row.sessionBranch,
      startedAt: row.createdAt,
      endedAt: row.endedAt ?? row.createdAt,
      opening: row.isFirst
        ? { title: row.title, titleSource, firstPrompt: row.firstPrompt, links: belongings.links }
        : null,
    },
    agentId: row.agentId,
    subagent: row.agentId === null ? null : { agentType: row.agentType, task: row.task },
    isSidechain: row.isSidechain,
    origin,
    toolSummary,
    failures: (failures ?? [])
      .filter(([start, end]) => fits(start, end))
      .map(([start, end, call, mended]) => ({ start, end, call, mended: mended === 1 })),
    mentions: belongings.mentions,
    commits: belongings.commits,
    createdAt: row.createdAt,
    endedAt: row.endedAt,
    branch: row.branch,
    model: row.model,
    clientVersion: row.clientVersion,
    promptUuid: row.promptUuid,
    text: row.text,
    parts: parts.map(([kind, start, end]) => ({ kind, start, end })),
    chunks,
    vectorModel: chunks.some(({ vector }) => vector !== null) ? vectorModel : null,
  };
}
