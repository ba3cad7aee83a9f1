import { MementorError } from "../errors.ts";
import { type JsonObject, parseObject } from "../io/json.ts";
import { readIfExists, statIfExists } from "../io/read.ts";

/** A larger file is not read: parsing takes several times its size in memory. */
const MAX_BYTES = 256 << 20;

/**
 * Reads a session that is one JSON object.
 *
 * @throws `io` when the file is not one JSON object, as for a moment while the agent rewrites it, or has more than 256 MB.
 */
export function wholeObject(path: string): JsonObject {
  if ((statIfExists(path)?.size ?? 0) > MAX_BYTES)
    throw new MementorError("io", `cannot read ${path}: it has more than ${MAX_BYTES >> 20} MB`);
  const whole = parseObject(readIfExists(path) ?? "");
  if (!whole) throw new MementorError("io", `cannot read ${path}: it is not a JSON object`);
  return whole;
}
