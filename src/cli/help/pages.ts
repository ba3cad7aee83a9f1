// Made by "bun run build" from .github/docs; do not edit.
/** A page of the documentation, which the binary holds too. */
export interface PageEntry {
  title: string;
  load(): Promise<{ default: string }>;
}

/** The pages by their names, as `mementor help <page>` takes them. */
export const PAGES: ReadonlyMap<string, PageEntry> = new Map([
  [
    "commands",
    {
      title: "Commands for people",
      load: () => import("../../../.github/docs/commands.md", { with: { type: "text" } }),
    },
  ],
  [
    "for-agents",
    {
      title: "For agents",
      load: () => import("../../../.github/docs/for-agents.md", { with: { type: "text" } }),
    },
  ],
  [
    "hooks",
    {
      title: "What the hooks tell",
      load: () => import("../../../.github/docs/hooks.md", { with: { type: "text" } }),
    },
  ],
  [
    "how-it-works",
    {
      title: "How it works",
      load: () => import("../../../.github/docs/how-it-works.md", { with: { type: "text" } }),
    },
  ],
  [
    "install",
    {
      title: "Install, upgrade, remove",
      load: () => import("../../../.github/docs/install.md", { with: { type: "text" } }),
    },
  ],
  [
    "languages",
    {
      title: "Other languages",
      load: () => import("../../../.github/docs/languages.md", { with: { type: "text" } }),
    },
  ],
  [
    "measured",
    {
      title: "Measured",
      load: () => import("../../../.github/docs/measured.md", { with: { type: "text" } }),
    },
  ],
  [
    "moving",
    {
      title: "After a move, or in another clone",
      load: () => import("../../../.github/docs/moving.md", { with: { type: "text" } }),
    },
  ],
  [
    "notes",
    {
      title: "Notes and marks",
      load: () => import("../../../.github/docs/notes.md", { with: { type: "text" } }),
    },
  ],
  [
    "other-agents",
    {
      title: "Other agents",
      load: () => import("../../../.github/docs/other-agents.md", { with: { type: "text" } }),
    },
  ],
  [
    "platforms",
    {
      title: "Platforms",
      load: () => import("../../../.github/docs/platforms.md", { with: { type: "text" } }),
    },
  ],
  [
    "privacy",
    {
      title: "Privacy",
      load: () => import("../../../.github/docs/privacy.md", { with: { type: "text" } }),
    },
  ],
  [
    "projects",
    {
      title: "All your projects",
      load: () => import("../../../.github/docs/projects.md", { with: { type: "text" } }),
    },
  ],
  [
    "secrets",
    {
      title: "The secrets that are found",
      load: () => import("../../../.github/docs/secrets.md", { with: { type: "text" } }),
    },
  ],
  [
    "settings",
    {
      title: "Settings",
      load: () => import("../../../.github/docs/settings.md", { with: { type: "text" } }),
    },
  ],
  [
    "several-machines",
    {
      title: "Several machines",
      load: () => import("../../../.github/docs/several-machines.md", { with: { type: "text" } }),
    },
  ],
  [
    "teams",
    {
      title: "Teams",
      load: () => import("../../../.github/docs/teams.md", { with: { type: "text" } }),
    },
  ],
]);
