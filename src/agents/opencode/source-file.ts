import type { SourceFile } from "../agent.ts";
import { infoAt } from "./files.ts";
import { placeOf } from "./path.ts";

/** Returns what a path says; of a session in a file of its own, the file tells whose subagent it is. */
export function sourceFile(path: string): SourceFile {
  const place = placeOf(path);
  if (place === null) return { sessionId: null, isNamed: false, agentId: null };
  const parentId = place.kind === "row" ? place.parentId : (infoAt(path)?.parentId ?? null);
  if (parentId === null) return { sessionId: place.sessionId, isNamed: true, agentId: null };
  return { sessionId: parentId, isNamed: false, agentId: place.sessionId };
}
