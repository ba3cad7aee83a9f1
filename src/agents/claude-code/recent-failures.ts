import { parseObject } from "../../io/json.ts";
import { tailOf } from "../files.ts";
import { contentOf } from "./content.ts";
import { entryOf } from "./entry.ts";

/** How much of the end of a transcript is read. */
const TAIL_BYTES = 256_000;

/** Returns the outputs of failed calls in the end of a transcript, but for one call. */
export function recentFailures(path: string, exceptCallId: string | null): string[] {
  return tailOf(path, TAIL_BYTES)
    .split("\n")
    .filter((line) => /"is_error"\s*:\s*true/.test(line))
    .flatMap((line) => {
      const raw = parseObject(line);
      const entry = raw ? entryOf(raw) : null;
      if (entry === null || entry.isSidechain) return [];
      return contentOf(entry)
        .results.filter(({ isError, callId }) => isError && callId !== exceptCallId)
        .map(({ text }) => text);
    });
}
