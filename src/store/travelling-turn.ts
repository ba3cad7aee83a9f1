import * as v from "valibot";
import { TURN_ORIGINS } from "../domain.ts";
import { PART_KINDS } from "../turn/text.ts";

/** An offset in a text. */
export const Place = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const Text = v.nullable(v.string());

/** The travelling facts of a session, never a path of a machine. */
const Session = v.object({
  sessionId: v.string(),
  client: v.string(),
  automated: v.boolean(),
  branch: Text,
  startedAt: Text,
  endedAt: Text,
  /** Facts from the session's beginning, sent only with its first turn. */
  opening: v.nullable(
    v.object({
      title: Text,
      titleSource: v.nullable(v.picklist(["summary", "custom-title", "ai-title"])),
      firstPrompt: Text,
      links: v.array(
        v.object({
          sessionId: v.string(),
          prNumber: v.number(),
          prUrl: v.string(),
          prRepository: v.string(),
          timestamp: Text,
        }),
      ),
    }),
  ),
});

/** The form in which a turn travels to and from a team and through a folder, except its chunks. */
export const TravellingTurn = v.object({
  session: Session,
  agentId: Text,
  subagent: v.nullable(v.object({ agentType: Text, task: Text })),
  isSidechain: v.boolean(),
  origin: v.picklist(TURN_ORIGINS),
  toolSummary: v.array(v.string()),
  mentions: v.array(v.object({ filePath: v.string(), toolName: v.string() })),
  commits: v.array(v.object({ hash: v.string(), message: v.string() })),
  createdAt: Text,
  endedAt: Text,
  branch: Text,
  model: Text,
  clientVersion: Text,
  promptUuid: Text,
  text: v.string(),
  parts: v.pipe(v.array(v.object({ kind: v.picklist(PART_KINDS), start: Place, end: Place })), v.readonly()),
  /** Model of its vectors; null without vectors. */
  vectorModel: v.nullable(
    v.object({
      id: v.string(),
      dimensions: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(8192)),
    }),
  ),
});
