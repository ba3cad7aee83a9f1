/**
 * Splits bytes into non-empty lines, without line ends. A line of more than `maxChars` UTF-16 units is yielded as
 * null and not kept in memory. Only a line feed ends a line: JSON may contain every other separator.
 */
export async function* messageLines(
  chunks: AsyncIterable<Uint8Array>,
  maxChars: number,
): AsyncGenerator<string | null> {
  const decoder = new TextDecoder();
  let held = "";
  let isTooLong = false;
  for await (const chunk of chunks) {
    const [first = "", ...rest] = decoder.decode(chunk, { stream: true }).split("\n");
    held += first;
    for (const next of rest) {
      yield* isTooLong || held.length > maxChars ? [null] : whole(held);
      held = next;
      isTooLong = false;
    }
    if (held.length > maxChars) {
      held = "";
      isTooLong = true;
    }
  }
  yield* isTooLong ? [null] : whole(held + decoder.decode());
}

function whole(line: string): string[] {
  const trimmed = line.trim();
  return trimmed === "" ? [] : [trimmed];
}
