import { AGENT_COMMANDS } from "./agent-table.ts";
import { BROWSE_COMMANDS } from "./browse-table.ts";
import { CARE_COMMANDS } from "./care-table.ts";
import type { CommandSpec, OptionSpec } from "./command.ts";
import { filterOptions } from "./filter-options.ts";

export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  { flags: "--db <file>", description: "Use this database instead of the project's own" },
  { flags: "-h, --help", description: "Show help" },
  { flags: "-v, --version", description: "Show the version" },
];

const JSON_OPTION: OptionSpec = { flags: "--json", description: "Print JSON" };

/** Every command; parsing, help and completions come from here. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    name: "search",
    aliases: ["query"],
    args: "<text...>",
    summary: "Find what was said, decided and done before",
    options: [
      { flags: "-k, --limit <n>", description: "How many turns at most (default: 10)" },
      ...filterOptions(),
      { flags: "--mode <mode>", description: "hybrid (default), keyword or vector" },
      { flags: "--explain", description: "Show every candidate, its scores and what left it out" },
      JSON_OPTION,
    ],
    examples: [
      'mementor search "why did we move to sqlite"',
      "mementor search ingest.rs -k 3 --json",
      'mementor search "flaky test" --branch main --since "last month"',
    ],
    load: async () => (await import("./search.ts")).run,
  },
  ...BROWSE_COMMANDS,
  ...AGENT_COMMANDS,
  {
    name: "ingest",
    args: "[...paths]",
    summary: "Read transcripts into the memory",
    options: [
      { flags: "--all", description: "Every transcript of this project that Claude Code has on disk" },
      { flags: "--text-only", description: "Leave embedding for later; keywords work at once" },
      JSON_OPTION,
    ],
    examples: ["mementor ingest --all", "mementor ingest ~/.claude/projects/-home-me-app"],
    load: async () => (await import("./ingest.ts")).run,
  },
  ...CARE_COMMANDS,
  {
    name: "enable",
    args: "",
    summary: "Switch the memory on for this project: make it and install the hooks",
    options: [
      {
        flags: "--scope <scope>",
        description:
          "Who gets the hooks: project (shared settings), local (you, here) or user (you, everywhere)",
        values: ["project", "local", "user"],
      },
      { flags: "--history", description: "Read the conversations that are already on disk, without asking" },
      { flags: "--no-history", description: "Do not read them" },
      { flags: "--adopt", description: "Take over a database that was not made here" },
      JSON_OPTION,
    ],
    examples: [
      "mementor enable",
      "mementor enable --scope local        # only for you, with the binary's full path",
      "mementor enable --scope user         # for all your projects",
    ],
    load: async () => (await import("./enable.ts")).run,
  },
  {
    name: "disable",
    args: "",
    summary: "Take the hooks out again; the memory stays",
    options: [
      {
        flags: "--scope <scope>",
        description: "Only those of project, local or user settings",
        values: ["project", "local", "user"],
      },
      { flags: "--purge", description: "Delete the memory too" },
      JSON_OPTION,
    ],
    examples: ["mementor disable", "mementor disable --purge"],
    load: async () => (await import("./disable.ts")).run,
  },
  {
    name: "status",
    args: "",
    summary: "Show what the memory holds, and whether the hooks are at work",
    options: [JSON_OPTION],
    examples: ["mementor status", "mementor status --json"],
    load: async () => (await import("./status.ts")).run,
  },
  {
    name: "doctor",
    args: "",
    summary: "Check everything, up to one live recall, and say what to do about it",
    options: [{ flags: "--fix", description: "Mend what can be mended; nothing is deleted" }, JSON_OPTION],
    examples: ["mementor doctor", "mementor doctor --fix"],
    load: async () => (await import("./doctor.ts")).run,
  },
  {
    name: "config",
    args: "",
    summary: "Show every setting with its value, and where that comes from",
    options: [JSON_OPTION],
    examples: ["mementor config", "MEMENTOR_SEARCH_K=5 mementor config"],
    load: async () => (await import("./config.ts")).run,
  },
  {
    name: "log",
    args: "",
    summary: "Show what the hooks and the background work have logged",
    options: [
      { flags: "-f, --follow", description: "Go on as more is logged" },
      { flags: "-n, --lines <n>", description: "How many of the last lines (default: 50)" },
      {
        flags: "--level <level>",
        description: "Only this level and graver: error, warn, info or debug",
        values: ["error", "warn", "info", "debug"],
      },
      { flags: "--json", description: "Print the lines as they are in the file" },
    ],
    examples: ["mementor log -f", "mementor log --level warn -n 10"],
    load: async () => (await import("./log.ts")).run,
  },
  {
    name: "completions",
    args: "<shell>",
    argValues: ["bash", "zsh", "fish"],
    summary: "Print the completions for bash, zsh or fish",
    options: [],
    examples: [
      "source <(mementor completions bash)",
      "source <(mementor completions zsh)",
      "mementor completions fish | source",
    ],
    load: async () => (await import("./completions.ts")).run,
  },
  {
    name: "work",
    args: "",
    summary: "Work off what the hooks have noted",
    options: [],
    examples: ["mementor work"],
    hidden: true,
    load: async () => (await import("./work.ts")).run,
  },
  {
    name: "licenses",
    args: "",
    summary: "Print the licences of everything in the binary",
    options: [],
    examples: ["mementor licenses | less"],
    load: async () => (await import("./licenses.ts")).run,
  },
];
