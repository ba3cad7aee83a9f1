// Made by "bun run build" from .github/docs; do not edit.
/** The documentation pages in the binary, by the names that `mementor help <page>` takes. */
export const PAGES: ReadonlyMap<string, () => Promise<{ default: string }>> = new Map([
  ["commands", () => import("../../../.github/docs/commands.md", { with: { type: "text" } })],
  ["for-agents", () => import("../../../.github/docs/for-agents.md", { with: { type: "text" } })],
  ["hooks", () => import("../../../.github/docs/hooks.md", { with: { type: "text" } })],
  ["how-it-works", () => import("../../../.github/docs/how-it-works.md", { with: { type: "text" } })],
  ["install", () => import("../../../.github/docs/install.md", { with: { type: "text" } })],
  ["languages", () => import("../../../.github/docs/languages.md", { with: { type: "text" } })],
  ["measured", () => import("../../../.github/docs/measured.md", { with: { type: "text" } })],
  ["moving", () => import("../../../.github/docs/moving.md", { with: { type: "text" } })],
  ["notes", () => import("../../../.github/docs/notes.md", { with: { type: "text" } })],
  ["other-agents", () => import("../../../.github/docs/other-agents.md", { with: { type: "text" } })],
  ["platforms", () => import("../../../.github/docs/platforms.md", { with: { type: "text" } })],
  ["privacy", () => import("../../../.github/docs/privacy.md", { with: { type: "text" } })],
  ["projects", () => import("../../../.github/docs/projects.md", { with: { type: "text" } })],
  ["secrets", () => import("../../../.github/docs/secrets.md", { with: { type: "text" } })],
  ["settings", () => import("../../../.github/docs/settings.md", { with: { type: "text" } })],
  ["several-machines", () => import("../../../.github/docs/several-machines.md", { with: { type: "text" } })],
  ["teams", () => import("../../../.github/docs/teams.md", { with: { type: "text" } })],
]);
