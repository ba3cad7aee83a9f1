import type { ProjectModel } from "../../store/postgres/members/models.ts";
import { oneLine, renderList } from "../list.ts";
import type { Screen } from "../screen.ts";

/** Renders the models of a project, and who added them. */
export function renderModels(project: string, models: readonly ProjectModel[], screen: Screen): string {
  if (models.length === 0) return `${project} has no models: nobody has sent vectors.\n`;
  const { style } = screen;
  return renderList(
    [
      { title: "MODEL", paint: style.bold, cut: "end", maxWidth: 60 },
      { title: "DIMENSIONS", align: "right" },
      { title: "VECTORS", align: "right" },
      { title: "ADDED BY" },
      { title: "USED", paint: style.cyan },
    ],
    models.map(({ name, dimensions, vectors, author, isActive }) => [
      oneLine(name),
      `${dimensions}`,
      `${vectors}`,
      author ?? "unknown",
      isActive ? "by searches" : "",
    ]),
    screen,
  );
}

/** Renders which models were removed. */
export function renderErasedModels(project: string, names: readonly string[]): string {
  if (names.length === 0) return `Each model of ${project} has vectors. Name the one to remove.\n`;
  return names.map((name) => `${oneLine(name)} is removed from ${project}, with its vectors.\n`).join("");
}
