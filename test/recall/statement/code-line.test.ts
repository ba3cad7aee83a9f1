import { expect, test } from "bun:test";
import { isCodeLine } from "../../../src/recall/matter/settled.ts";

test.each([
  "// Fall back to a new name because the old one must never be used twice",
  "/* The cache must be cleared first. */",
  'fmt.Fprintf(os.Stderr, "the name must never be used twice: %v\\n", err)',
  "names := make(map[string]int)",
  "if err != nil {",
  "} else if (count === 0) {",
  "for _, each := range items {",
  'return nil, fmt.Errorf("must not be empty: %w", err)',
  "const limit = settings.limit ?? 3;",
  "public static void main(String[] args) {",
  "user.save();",
  "}",
])("%s is code", (line) => expect(isCodeLine(line)).toBe(true));

test.each([
  "We decided that refunds must always keep their sign;",
  "Never call fmt.Println() in the handlers, because it writes to standard output.",
  "Always use := for new names in a function",
  "The path must be /users/{id}",
  "Set retries = 3 from now on, since the server is slow",
  "It must stay small (the binary has a limit of 80 MB)",
  "缓存必须先清空，因为时钟错了",
])("%s is a sentence", (line) => expect(isCodeLine(line)).toBe(false));
