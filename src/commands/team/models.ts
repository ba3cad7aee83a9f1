import { oneLine, renderList } from "../../render/list.ts";
import { renderResult } from "../../render/result.ts";
import type { Screen } from "../../render/screen.ts";
import {
  asOwner,
  eraseModels,
  listModels,
  ownerIfAllowed,
  type ProjectModel,
  requireProject,
} from "../../store/postgres/members/members.ts";
import { screenOf } from "../shared/view.ts";
import { withAdmin } from "./admin.ts";
import type { TeamAction } from "./options.ts";
import { teamProjectName } from "./project.ts";

/** Lists the models of a project and who added them; with `--erase`, removes one, or all that nobody uses. */
export const models: TeamAction = async ({ target, options }, runtime) => {
  const project = await teamProjectName(runtime, options);
  const { stdout } = runtime.host;
  return withAdmin(runtime, options, async (server) => {
    if (options.erase) {
      const erased = await asOwner(server, async (sql) =>
        eraseModels(sql, await requireProject(sql, project), target ?? null),
      );
      stdout.write(options.json ? renderResult({ project, erased }) : renderErasedModels(project, erased));
      return 0;
    }
    const found = await server.transaction(async (sql) => {
      await ownerIfAllowed(sql);
      return listModels(sql, await requireProject(sql, project));
    });
    const shown = found.filter(({ name }) => target === undefined || name === target);
    const json = shown.map(({ name, dimensions, author, vectors, isActive }) => ({
      name,
      dimensions,
      added_by: author,
      vectors,
      active: isActive,
    }));
    stdout.write(
      options.json
        ? renderResult({ project, models: json })
        : renderModels(project, shown, screenOf(runtime)),
    );
    return 0;
  });
};

/** Renders the models of a project, and who added them. */
function renderModels(project: string, models: readonly ProjectModel[], screen: Screen): string {
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
function renderErasedModels(project: string, names: readonly string[]): string {
  if (names.length === 0) return `Each model of ${project} has vectors. Name the one to remove.\n`;
  return names.map((name) => `${oneLine(name)} is removed from ${project}, with its vectors.\n`).join("");
}
