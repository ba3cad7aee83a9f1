import { oneLine } from "../../../agents/notices.ts";
import {
  asOwner,
  eraseModels,
  listMembers,
  listModels,
  ownerIfAllowed,
  type ProjectModel,
  requireProject,
} from "../../../store/postgres/members/members.ts";
import { renderList } from "../../terminal/list.ts";
import type { Screen } from "../../terminal/screen.ts";
import { printResult } from "../../terminal/view.ts";
import { renderMembers } from "./admin-text.ts";
import { teamProjectName, withAdmin } from "./administer.ts";
import type { TeamAction } from "./options.ts";

/** Lists the members of a project and what each stores. */
export const members: TeamAction = async ({ options }, runtime) => {
  const project = await teamProjectName(runtime, options);
  return withAdmin(runtime, options, async (server) => {
    const found = await server.transaction(async (sql) => {
      await ownerIfAllowed(sql);
      return listMembers(sql, await requireProject(sql, project));
    });
    const json = found.map(({ role, isAdmin, maxBytes, usedBytes, turns, lastSent }) => ({
      name: role,
      admin: isAdmin,
      turns,
      used_bytes: usedBytes,
      quota_bytes: maxBytes,
      last_sent: lastSent,
    }));
    return printResult(runtime, options, { project, members: json }, (_, screen) =>
      renderMembers(project, found, screen),
    );
  });
};

/** Lists the models of a project and who added them; with `--erase`, removes one, or all that nobody uses. */
export const models: TeamAction = async ({ target, options }, runtime) => {
  const project = await teamProjectName(runtime, options);
  return withAdmin(runtime, options, async (server) => {
    if (options.erase) {
      const erased = await asOwner(server, async (sql) =>
        eraseModels(sql, await requireProject(sql, project), target ?? null),
      );
      return printResult(runtime, options, { project, erased }, () => renderErasedModels(project, erased));
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
    return printResult(runtime, options, { project, models: json }, (_, screen) =>
      renderModels(project, shown, screen),
    );
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
