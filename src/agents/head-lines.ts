import { type JsonObject, parseObject } from "../transcript/json.ts";
import { headOf } from "./files.ts";

/** Returns the first records of a file of JSON lines, within this many bytes. */
export function headRecords(path: string, bytes: number): JsonObject[] {
  const lines = headOf(path, bytes).split("\n");
  return lines.map(parseObject).filter((record) => record !== null && record !== undefined);
}
