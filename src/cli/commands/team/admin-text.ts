import type { Member } from "../../../store/postgres/members/members.ts";
import { renderAgo } from "../../../text/when.ts";
import { renderList } from "../../terminal/list.ts";
import type { Screen } from "../../terminal/screen.ts";
import { renderBytes } from "../../terminal/table.ts";

/** Renders that a team's database is ready. Version 0 is a new one. */
export function renderSetUp({ server, from, to }: { server: string; from: number; to: number }): string {
  const done = from === to ? "is up to date" : from === 0 ? "is ready for a team" : "was brought up to date";
  return `${server} ${done} (schema ${to}).

Add members, each in a clone of the project or with --project NAME:
  mementor team add NAME
`;
}

/** Renders SQL statements for an administrator to run. */
export function renderGround(statements: readonly string[]): string {
  return `${statements.map((statement) => `${statement};`).join("\n")}\n`;
}

/** Renders the statements that revoke rights outside the quota from members, if this role may not run them. */
export function renderUncounted(statements: readonly string[]): string {
  return `This role may not revoke rights outside the quota from members. An administrator of the server can, with:\n${renderGround(statements)}`;
}

export function renderAdded(
  added: { name: string; project: string; password: string | null; project_is_new: boolean },
  isAdmin?: boolean,
): string {
  const { name, project, password } = added;
  const right = isAdmin ? "an admin" : isAdmin === undefined ? "a member" : "a member, and no admin,";
  const isNew = added.project_is_new ? ", which is new here" : "";
  const login =
    password === null
      ? `${name} had a login already; its password stays.\n`
      : `Give ${name} this password over a channel that you trust; it is not shown again:\n\n  ${password}\n`;
  return `${name} is ${right} of ${project}${isNew}.

${login}
In a clone of the project, ${name} runs:
`;
}

/** Renders the command that a new member runs. */
export function renderJoin({ url }: { url: string }): string {
  return `  mementor team join ${url}\n`;
}

export function renderRotated({ name, password }: { name: string; password: string }): string {
  return `${name} has a new password; the old one no longer works. It is not shown again:

  ${password}
`;
}

export function renderRemovedMember(removed: {
  name: string;
  project: string;
  erased_turns: number;
  can_log_in: boolean;
}): string {
  const { name, project, erased_turns: erased } = removed;
  const turns =
    erased === 0
      ? ""
      : `${erased} ${erased === 1 ? "turn is" : "turns are"} gone from the server, and from each member's machine after its next sync.\n`;
  const login = removed.can_log_in ? "" : `${name} has no project left and can no longer log in.\n`;
  return `${name} is no longer a member of ${project}.\n${turns}${login}`;
}

export function renderMembers(project: string, members: readonly Member[], screen: Screen): string {
  if (members.length === 0) return `${project} has no members.\n`;
  const { style } = screen;
  return renderList(
    [
      { title: "MEMBER", paint: style.bold },
      { title: "RIGHT", paint: style.cyan },
      { title: "TURNS", align: "right" },
      { title: "STORED", align: "right" },
      { title: "QUOTA", align: "right" },
      { title: "LAST SENT", paint: style.dim },
    ],
    members.map(({ role, isAdmin, turns, usedBytes, maxBytes, lastSent }) => [
      role,
      isAdmin ? "admin" : "",
      `${turns}`,
      renderBytes(usedBytes),
      renderBytes(maxBytes),
      lastSent === null ? "never" : renderAgo(lastSent, screen.now),
    ]),
    screen,
  );
}
