import { join } from "node:path";
import { readIfExists, statIfExists } from "../../io/read.ts";
import { type JsonObject, numberOf, objectOf, parseObject, stringOf } from "../../transcript/json.ts";
import type { SourceStamp } from "../agent.ts";
import { entriesOf, fileStamp } from "../files.ts";
import type { Message, Session, SessionInfo } from "./session.ts";

/** Reads a session that an older version left as JSON files below `storage`; null when its file is not readable. */
export function sessionAt(file: string, storage: string): Session | null {
  const info = infoAt(file);
  if (info === null) return null;
  const messages = objectsIn(join(storage, "message", info.id)).map(
    (data): Message => ({ data, parts: objectsIn(join(storage, "part", stringOf(data.id) ?? "none")) }),
  );
  return { info, messages: messages.sort((a, b) => createdMs(a.data) - createdMs(b.data)) };
}

/** Reads what is noted of a session in its own file. */
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
  };
}

/**
 * What a session's files look like. The folder of a message's parts changes with each part, and the last part of a message
 * comes when all others are done, so no part has to be looked at.
 */
export function filesStamp(file: string, storage: string, sessionId: string): SourceStamp | null {
  const own = fileStamp(file);
  if (own === null) return null;
  const messages = join(storage, "message", sessionId);
  const names = entriesOf(messages).map(({ name }) => name);
  const folders = names.map((name) => join(storage, "part", name.replace(/\.json$/, "")));
  const times = [messages, ...names.map((name) => join(messages, name)), ...folders].map(
    (path) => statIfExists(path)?.mtimeMs ?? 0,
  );
  const changed = times.reduce((latest, time) => Math.max(latest, time), own.mtimeMs);
  return { size: own.size + names.length, mtimeMs: changed, ctimeMs: Math.max(own.ctimeMs, changed) };
}

/** The objects of a folder's files, in the order of their names, which rise with time. */
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
