// Made by "bun run build" from the files beside it; do not edit.
/** The sections of the help in order, each with the usage and the summary of its commands. */
export const OVERVIEW: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    "Ask",
    [
      ["search <text...>", "Find what was said, decided and done before"],
      ["recall [text...]", "Answer a question from this project alone, in few words, as agents ask it"],
      [
        "show <turn|session|path>",
        "Print a whole turn or session, its turns, what is related to it, or how to continue it",
      ],
      ["recent", "List the latest turns"],
      ["sessions", "List sessions, the latest first"],
      ["files [path]", "List the busiest files, or the history of one, newest first"],
      ["commits [hash]", "List commits or pull requests with the turns that made them, or find one"],
      ["told [number]", "List what hooks told agents, why they were silent, and what agents asked"],
      ["report", "Write an HTML page of the work, or show it in figures: over time, files, use of recall"],
    ],
  ],
  [
    "Teach",
    [
      ["note <text...>", "Store a decision of yours, or put what was said into CLAUDE.md"],
      ["mark [action] [number] [turn]", "Say what you think of answers and turns, or list what you said"],
      ["forget [turn|session|path]", "Remove turns for good: by number, session, file, text or age"],
    ],
  ],
  [
    "Set up",
    [
      ["enable", "Switch the memory on for this project: create it and install the hooks"],
      ["disable", "Remove the hooks; the memory stays"],
      ["status", "Show what the memory holds, and whether the hooks work"],
      ["doctor", "Check everything, including one live recall, and say how to fix problems"],
      ["config [action] [setting...]", "Show every setting with its value and its source; get, set, unset"],
      ["uninstall", "Remove mementor from all projects and from this machine; the memories stay"],
    ],
  ],
  [
    "Share",
    [
      [
        "team [action] [target]",
        "Share the memory of a project with a team, through a PostgreSQL server of yours",
      ],
      [
        "sync [folder|action] [device]",
        "Let your memory follow you to your other machines, through a folder of yours, encrypted",
      ],
    ],
  ],
  [
    "For programs",
    [
      ["mcp", "Serve the memory to agents through MCP, on stdin and stdout"],
      ["plugin [action]", "Install the plugin for Claude Code: a skill, a command, the tools and the hooks"],
      ["model [action] [target]", "List the embedding models, or use another one"],
      ["export", "Write the memory, or a part of it, as JSON lines"],
      ["import <file>", "Import what another memory exported, marked with its origin"],
      ["ingest [paths...]", "Read what agents have left on disk of this project, or the named transcripts"],
      ["completions <shell>", "Print the completions for bash, zsh, fish or PowerShell"],
      ["licenses", "Print the licences of everything in the binary"],
      ["upgrade", "Show how to upgrade mementor, which never looks for new versions by itself"],
    ],
  ],
];
