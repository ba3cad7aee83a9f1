import { type JsonObject, parseObject } from "../transcript/json.ts";
import { headOf } from "./files.ts";

/** Returns the first records of a file of JSON lines, within this many bytes. */
export async function headRecords(path: string, bytes: number): Promise<JsonObject[]> {
  const lines = (await headOf(path, bytes)).split("\n");
  return lines.map(parseObject).filter((record) => record !== null && record !== undefined);
}
