import type { CommandSpec, OptionSpec } from "./command.ts";
import { filterOptions } from "./filter-options.ts";

const CONSENT: readonly OptionSpec[] = [
  { flags: "--dry-run", description: "Show what would go, and remove nothing" },
  { flags: "-y, --yes", description: "Do not ask" },
  { flags: "--json", description: "Print JSON" },
];

/** The commands that take out of the memory, and carry it elsewhere. */
export const CARE_COMMANDS: readonly CommandSpec[] = [
  {
    name: "forget",
    args: "[turn|session|path]",
    summary: "Remove turns for good: by number, session, file or text",
    options: [
      {
        flags: "--match <text>",
        description: "Turns that say this, in any case; with a target, only those of it",
      },
      { flags: "--before <when>", description: "Turns from before then: 2026-03-04, 1y, 3mo" },
      { flags: "--backups", description: "Delete old copies of the database beside it too" },
      {
        flags: "--finish",
        description: "Only rewrite the file, where another process was in the way before",
      },
      ...CONSENT,
    ],
    examples: [
      "mementor forget 42",
      "mementor forget 1b7c0a52",
      "mementor forget src/secrets.ts --dry-run",
      'mementor forget --match "customer name" --yes',
      "mementor forget --before 2025-01-01",
    ],
    load: async () => (await import("./forget.ts")).run,
  },
  {
    name: "prune",
    args: "",
    summary: "Remove the oldest turns, by age or size; never those of this month unless told to",
    options: [
      { flags: "--keep <age>", description: "Keep what is younger: 1y, 6mo, 90d" },
      {
        flags: "--max-size <size>",
        description: "Remove the oldest until the database is smaller: 500MB, 2GB",
      },
      { flags: "--this-month", description: "Also turns of this month" },
      ...CONSENT,
    ],
    examples: ["mementor prune --keep 1y", "mementor prune --keep 1y --max-size 500MB --yes"],
    load: async () => (await import("./prune.ts")).run,
  },
  {
    name: "export",
    args: "",
    summary: "Write the memory, or a part of it, as JSON lines or Markdown",
    options: [
      {
        flags: "--format <format>",
        description: "jsonl (default; can be imported) or markdown (to read)",
        values: ["jsonl", "markdown"],
      },
      { flags: "-o, --output <file>", description: "Write to this file instead of the terminal" },
      {
        flags: "--as <name>",
        description: "What an import will call its origin (default: the project's name)",
      },
      ...filterOptions(),
      { flags: "--json", description: "Print what was written as JSON; with -o" },
    ],
    examples: [
      "mementor export -o memory.jsonl",
      "mementor export --format markdown --since 1mo -o march.md",
      "mementor export --session 1b7c0a52 --format markdown | less",
    ],
    load: async () => (await import("./export.ts")).run,
  },
  {
    name: "import",
    args: "<file>",
    summary: "Take in what another memory exported, marked as foreign",
    options: [
      { flags: "--from <name>", description: "What its origin is called (default: what the file says)" },
      { flags: "--text-only", description: "Leave embedding for later; keywords work at once" },
      { flags: "--json", description: "Print JSON" },
    ],
    examples: ["mementor import memory.jsonl", "mementor import memory.jsonl --from ada"],
    load: async () => (await import("./import.ts")).run,
  },
  {
    name: "model",
    args: "[action] [target]",
    argValues: ["list", "use", "import", "remove"],
    summary: "List the embedding models, or use another one",
    options: [
      {
        flags: "-y, --yes",
        description: "Download what a hub id names without asking; nothing else uses the network",
      },
      {
        flags: "--name <name>",
        description: "What an imported model is called (default: its directory's name)",
      },
      {
        flags: "--pooling <pooling>",
        description:
          "How it makes one vector of many, where its files do not say: cls, mean (default) or last",
        values: ["cls", "mean", "last"],
      },
      {
        flags: "--query-prefix <text>",
        description: "What it wants before a query, where its files do not say",
      },
      { flags: "--document-prefix <text>", description: "What it wants before a stored text, likewise" },
      { flags: "--files", description: "With remove: take it off this machine too, for all projects" },
      { flags: "--json", description: "Print JSON" },
    ],
    examples: [
      "mementor model list",
      "mementor model use ./multilingual-e5-small --query-prefix 'query: ' --document-prefix 'passage: '",
      "mementor model use Xenova/paraphrase-multilingual-MiniLM-L12-v2",
      "mementor model use bge-small-en-v1.5-int8      # back to the built-in one",
      "mementor model remove multilingual-e5-small --files",
    ],
    load: async () => (await import("./model.ts")).run,
  },
];
