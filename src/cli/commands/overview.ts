// Made by "bun run build" from the files beside it; do not edit.
/** The sections of the help, in order, each with its commands. */
export const OVERVIEW: readonly (readonly [string, readonly { usage: string; summary: string }[]])[] = [
  [
    "Ask",
    [
      { usage: "search <text...>", summary: "Find what was said, decided and done before" },
      {
        usage: "recall [text...]",
        summary: "Answer a question from this project alone, in few words, as agents ask it",
      },
      {
        usage: "show <turn|session|path>",
        summary: "Print a whole turn or session, its turns, what is related to it, or how to continue it",
      },
      { usage: "recent", summary: "List the latest turns" },
      { usage: "sessions", summary: "List sessions, the latest first" },
      { usage: "files [path]", summary: "List the busiest files, or the history of one, newest first" },
      {
        usage: "commits [hash]",
        summary: "List commits or pull requests with the turns that made them, or find one",
      },
      {
        usage: "told [number]",
        summary: "List what hooks told agents, why they were silent, and what agents asked",
      },
      {
        usage: "report",
        summary: "Write an HTML page of the work, or show it in figures: over time, files, use of recall",
      },
    ],
  ],
  [
    "Teach",
    [
      { usage: "note <text...>", summary: "Store a decision of yours, or put what was said into CLAUDE.md" },
      {
        usage: "mark [action] [number] [turn]",
        summary: "Say what you think of answers and turns, or list what you said",
      },
      {
        usage: "forget [turn|session|path]",
        summary: "Remove turns for good: by number, session, file, text or age",
      },
    ],
  ],
  [
    "Set up",
    [
      { usage: "enable", summary: "Switch the memory on for this project: create it and install the hooks" },
      { usage: "disable", summary: "Remove the hooks; the memory stays" },
      { usage: "status", summary: "Show what the memory holds, and whether the hooks work" },
      {
        usage: "doctor",
        summary: "Check everything, including one live recall, and say how to fix problems",
      },
      {
        usage: "config [action] [setting...]",
        summary: "Show every setting with its value and its source; get, set, unset, edit",
      },
      {
        usage: "uninstall",
        summary: "Remove mementor from all projects and from this machine; the memories stay",
      },
    ],
  ],
  [
    "Share",
    [
      {
        usage: "team [action] [target]",
        summary: "Share the memory of a project with a team, through a PostgreSQL server of yours",
      },
      {
        usage: "sync [folder|action] [device]",
        summary: "Let your memory follow you to your other machines, through a folder of yours, encrypted",
      },
    ],
  ],
  [
    "For programs",
    [
      { usage: "mcp", summary: "Serve the memory to agents through MCP, on stdin and stdout" },
      {
        usage: "plugin [action]",
        summary: "Install the plugin for Claude Code: a skill, a command, the tools and the hooks",
      },
      { usage: "model [action] [target]", summary: "List the embedding models, or use another one" },
      { usage: "export", summary: "Write the memory, or a part of it, as JSON lines or Markdown" },
      { usage: "import <file>", summary: "Import what another memory exported, marked with its origin" },
      {
        usage: "ingest [paths...]",
        summary: "Read what agents have left on disk of this project, or the named transcripts",
      },
      { usage: "completions <shell>", summary: "Print the completions for bash, zsh, fish or PowerShell" },
      { usage: "licenses", summary: "Print the licences of everything in the binary" },
      {
        usage: "upgrade",
        summary: "Show how to upgrade mementor, which never looks for new versions by itself",
      },
    ],
  ],
];
