import { LIST_ROWS } from "../constants.ts";
import type { CommandSpec, OptionSpec } from "./command.ts";
import { filterOptions } from "./filter-options.ts";

const VIEW: readonly OptionSpec[] = [
  { flags: "--json", description: "Print JSON" },
  { flags: "--no-pager", description: "Print at once, also what is longer than the screen" },
];

const ROWS: OptionSpec = {
  flags: "-n, --limit <n>",
  description: `How many rows at most (default: ${LIST_ROWS})`,
};

/** The commands that look at the memory without a query. */
export const BROWSE_COMMANDS: readonly CommandSpec[] = [
  {
    name: "show",
    args: "<turn|session>",
    summary: "Print a whole turn or session",
    options: [
      { flags: "--context <n>", description: "With so many turns before and after it" },
      { flags: "--raw", description: "The transcript's own lines, while Claude Code still has the file" },
      ...VIEW,
    ],
    examples: ["mementor show 42", "mementor show 42 --context 2", "mementor show 1b7c0a52 --no-pager"],
    load: async () => (await import("./show.ts")).run,
  },
  {
    name: "sessions",
    args: "",
    summary: "List sessions, the latest first",
    options: [ROWS, ...filterOptions(), ...VIEW],
    examples: ['mementor sessions --since "last week"', "mementor sessions --file src/store.ts --json"],
    load: async () => (await import("./sessions.ts")).run,
  },
  {
    name: "turns",
    args: "<session>",
    summary: "List the turns of a session; the start of its id will do",
    options: [...filterOptions("session"), ...VIEW],
    examples: ["mementor turns 1b7c0a52"],
    load: async () => (await import("./turns.ts")).run,
  },
  {
    name: "files",
    args: "[path]",
    summary: "List the busiest files, or the history of one",
    options: [ROWS, ...filterOptions("file"), ...VIEW],
    examples: [
      "mementor files",
      "mementor files src/store.ts",
      "mementor files store.ts",
      "mementor files src/",
    ],
    load: async () => (await import("./files.ts")).run,
  },
  {
    name: "commits",
    args: "[hash]",
    summary: "List commits with the turns that made them, or find one",
    options: [ROWS, ...filterOptions(), ...VIEW],
    examples: ["mementor commits", "mementor commits 3f2a9c1"],
    load: async () => (await import("./commits.ts")).run,
  },
  {
    name: "prs",
    args: "[number]",
    summary: "List pull requests, or the sessions behind one",
    options: [ROWS, ...filterOptions(), ...VIEW],
    examples: ["mementor prs", "mementor prs 12"],
    load: async () => (await import("./prs.ts")).run,
  },
  {
    name: "recent",
    args: "",
    summary: "List the latest turns",
    options: [ROWS, ...filterOptions(), ...VIEW],
    examples: ["mementor recent", "mementor recent --branch main -n 5"],
    load: async () => (await import("./recent.ts")).run,
  },
  {
    name: "related",
    args: "<path|session|turn>",
    summary: "List sessions that worked on the same files or spoke of the same things",
    options: [ROWS, ...filterOptions(), ...VIEW],
    examples: ["mementor related src/store.ts", "mementor related 42"],
    load: async () => (await import("./related.ts")).run,
  },
  {
    name: "stats",
    args: "",
    summary: "Chart the work over time, the busiest files, and what recall was good for",
    options: [
      { flags: "--by <period>", description: "day, week or month (default: by the length of time)" },
      { flags: "-n, --limit <n>", description: "How many files (default: 10)" },
      ...filterOptions(),
      ...VIEW,
    ],
    examples: ["mementor stats", "mementor stats --since 2w --by day", "mementor stats --json"],
    load: async () => (await import("./stats.ts")).run,
  },
  {
    name: "report",
    args: "",
    summary: "Write a page to look at: sessions over time, a map of the work, the busiest files",
    options: [
      { flags: "--html <file>", description: "Where to write the page; - prints it" },
      ...filterOptions(),
    ],
    examples: ["mementor report --html report.html", "mementor report --html - --since 3mo > report.html"],
    load: async () => (await import("./report.ts")).run,
  },
];
