import { type JsonObject, objectsOf, parseObject } from "../../transcript/json.ts";
import { fileStamp, headOf } from "../files.ts";
import { wholeObject } from "../whole-file.ts";
import { said } from "./said.ts";
import { isWholeFile, shortIdOf } from "./source-file.ts";

/** A file with more bytes than this holds more than the context that the client writes before the first prompt. */
const HEAD_BYTES = 256 << 10;

/**
 * Returns the start of the id of the session in a file; null when nobody has said anything in it. A session that is
 * resumed in a later minute leaves such a file next to its own.
 */
export function conversationOf(path: string): string | null {
  return hasPrompt(path) ? shortIdOf(path) : null;
}

function hasPrompt(path: string): boolean {
  if ((fileStamp(path)?.size ?? 0) > HEAD_BYTES) return true;
  const isPrompt = (record: JsonObject) => record.type === "user" && said(record).kind === "prompt";
  if (isWholeFile(path)) return messagesOf(path).some(isPrompt);
  const lines = headOf(path, HEAD_BYTES).split("\n");
  return lines.some((line) => isPrompt(parseObject(line) ?? {}));
}

function messagesOf(path: string): JsonObject[] {
  try {
    return objectsOf(wholeObject(path).messages);
  } catch {
    // The file is being written anew.
    return [];
  }
}
