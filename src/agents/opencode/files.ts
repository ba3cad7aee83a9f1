import { join } from "node:path";
import { type JsonObject, numberOf, objectOf, parseObject, stringOf } from "../../io/json.ts";
import { readIfExists, statIfExists } from "../../io/read.ts";
import type { SourceStamp } from "../agent.ts";
import { entriesOf, fileStamp } from "../files.ts";
import type { Message, Session, SessionInfo } from "./rows.ts";

/** Reads a session that an older version stored as JSON files below `storage`. Null when its file is not readable. */
export function sessionAt(file: string, storage: string): Session | null {
  const info = infoAt(file);
  if (info === null) return null;
  const messages = objectsIn(join(storage, "message", info.id)).map(
    (data): Message => ({ data, parts: objectsIn(join(storage, "part", stringOf(data.id) ?? "none")) }),
  );
  return { info, messages: messages.sort((a, b) => createdMs(a.data) - createdMs(b.data)) };
}

/** Reads a session's facts from its file. */
export function infoAt(file: string): SessionInfo | null {
  const whole = parseObject(readIfExists(file) ?? "");
  const id = stringOf(whole?.id);
  if (!whole || id === null) return null;
  return {
    id,
    parentId: stringOf(whole.parentID),
    directory: stringOf(whole.directory),
    title: stringOf(whole.title),
    version: stringOf(whole.version),
    agent: stringOf(whole.agent),
    createdMs: createdMs(whole),
    revertedFrom: stringOf(objectOf(whole.revert)?.messageID),
  };
}

/**
 * Returns the stamp of a session's files. The folder of a message's parts changes with each part, and the last part
 * of a message is written when all others are complete, so the parts themselves need not be checked.
 */
export function filesStamp(file: string, storage: string, sessionId: string): SourceStamp | null {
  const stamp = fileStamp(file);
  if (stamp === null) return null;
  const messages = join(storage, "message", sessionId);
  const names = entriesOf(messages).map(({ name }) => name);
  const folders = names.map((name) => join(storage, "part", name.replace(/\.json$/, "")));
  const times = [messages, ...names.map((name) => join(messages, name)), ...folders].map(
    (path) => statIfExists(path)?.mtimeMs ?? 0,
  );
  const changed = times.reduce((latest, time) => Math.max(latest, time), stamp.mtimeMs);
  return { size: stamp.size + names.length, mtimeMs: changed, ctimeMs: Math.max(stamp.ctimeMs, changed) };
}

/** Returns the objects in a folder's files, in the order of their names, which is the order of time. */
function objectsIn(folder: string): JsonObject[] {
  return entriesOf(folder)
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map(({ name }) => {
      const id = name.replace(/\.json$/, "");
      return {
        ...(parseObject(readIfExists(join(folder, name)) ?? "") ?? { type: "malformed", role: "malformed" }),
        id,
      };
    });
}

function createdMs({ time }: JsonObject): number {
  return numberOf(objectOf(time)?.created) ?? 0;
}
