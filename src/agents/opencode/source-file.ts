import type { SourceFile } from "../agent.ts";
import { infoAt } from "./files.ts";
import { placeOf } from "./path.ts";

/** Returns the ids in a path. For a session in a file, the file names its parent. */
export function sourceFile(path: string): SourceFile {
  const place = placeOf(path);
  if (place === null) return { sessionId: null, isNamed: false, agentId: null };
  const parentId = place.kind === "row" ? place.parentId : (infoAt(path)?.parentId ?? null);
  if (parentId === null) return { sessionId: place.sessionId, isNamed: true, agentId: null };
  return { sessionId: parentId, isNamed: false, agentId: place.sessionId };
}
