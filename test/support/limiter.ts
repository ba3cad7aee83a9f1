import type { Talk } from "./projects.ts";

const DECIDED = [
  "How should src/api/limits.ts limit the requests of a client to the public API instead of with `FixedWindow`?",
  "With a `TokenBucket` for each API key, because a fixed window lets a client through twice at its edge: 100 requests a minute, with bursts of 20.",
] as const;

/** A conversation that finds a cause and then decides on a token bucket, and what later sessions ask about it. */
export const LIMITER = {
  file: "src/api/limits.ts",
  /** The prompt and the answer that decide. */
  decided: DECIDED,
  talk: [
    [
      "A client gets through the limiter of the public API twice at the edge of a minute. Why?",
      "`FixedWindow` in src/api/limits.ts resets its count at the edge of each minute, so a client can spend two windows in one second.",
    ],
    DECIDED,
  ] satisfies Talk,
  question:
    "Why does src/api/limits.ts limit the requests of a client to the public API with a `TokenBucket` for each API key instead of a `FixedWindow`?",
  /** The same question in other words. */
  rephrased:
    "What made us limit the requests of a client to the public API in src/api/limits.ts with a `TokenBucket` for each API key instead of a `FixedWindow`?",
  /** Another question that the same answer settles. */
  other:
    "A partner got 429 after a burst of 20 requests: how large are the bursts of the `TokenBucket` in src/api/limits.ts for an API key?",
} as const;
