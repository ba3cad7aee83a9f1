import { describe, expect, test } from "bun:test";
import {
  renderAdded,
  renderGround,
  renderJoin,
  renderMembers,
  renderRemovedMember,
  renderRotated,
  renderSetUp,
  renderUncounted,
} from "../../../../src/cli/commands/team/admin-text.ts";
import { styleFor } from "../../../../src/cli/terminal/screen.ts";

const SCREEN = {
  style: styleFor({ isTerminal: false }, {}),
  width: 80,
  now: new Date("2026-03-04T12:00:00Z"),
  program: "mementor",
};
const SERVER = "postgres://admin@db.acme.example/memory";
const NEXT = `
Add members, each in a clone of the project or with --project NAME:
  mementor team add NAME
`;

describe("a team's database", () => {
  test.each([
    [0, 6, `${SERVER} is ready for a team (schema 6).\n${NEXT}`],
    [6, 6, `${SERVER} is up to date (schema 6).\n${NEXT}`],
    [5, 6, `${SERVER} was brought up to date (schema 6).\n${NEXT}`],
  ])("set up from version %p to %p", (from, to, expected) => {
    expect(renderSetUp({ server: SERVER, from, to })).toBe(expected);
  });

  test("statements for whoever may run them", () => {
    expect(renderGround(["CREATE ROLE a", "GRANT a TO b"])).toBe("CREATE ROLE a;\nGRANT a TO b;\n");
  });

  test("statements that take what no quota counts, where the role may not", () => {
    expect(renderUncounted(["REVOKE a FROM PUBLIC"])).toBe(
      "This role may not revoke rights outside the quota from members. An administrator of the server can, with:\nREVOKE a FROM PUBLIC;\n",
    );
  });
});

describe("a member", () => {
  const added = { name: "ada", project: "shop", url: "postgres://ada@db.acme.example/memory" };

  test("who is new gets a password, once", () => {
    expect(
      renderAdded({ ...added, password: "s3cret", project_is_new: true }) + renderJoin(added),
    ).toBe(`ada is a member of shop, which is new here.

Give ada this password over a channel that you trust; it is not shown again:

  s3cret

In a clone of the project, ada runs:
  mementor team join postgres://ada@db.acme.example/memory
`);
  });

  test("who has a login keeps the password", () => {
    expect(
      renderAdded({ ...added, password: null, project_is_new: false }) + renderJoin(added),
    ).toBe(`ada is a member of shop.

ada had a login already; its password stays.

In a clone of the project, ada runs:
  mementor team join postgres://ada@db.acme.example/memory
`);
  });

  test("with a new password is told that the old one no longer works", () => {
    expect(renderRotated({ name: "ada", password: "s3cret" })).toBe(
      "ada has a new password; the old one no longer works. It is not shown again:\n\n  s3cret\n",
    );
  });

  test.each([
    [0, true, "ada is no longer a member of shop.\n"],
    [
      1,
      false,
      `ada is no longer a member of shop.
1 turn is gone from the server, and from each member's machine after its next sync.
ada has no project left and can no longer log in.
`,
    ],
    [
      2,
      true,
      `ada is no longer a member of shop.
2 turns are gone from the server, and from each member's machine after its next sync.
`,
    ],
  ])("who is removed is said to take %p turns along", (erased, canLogIn, expected) => {
    const removed = { name: "ada", project: "shop", erased_turns: erased, can_log_in: canLogIn };
    expect(renderRemovedMember(removed)).toBe(expected);
  });

  test.each([
    [true, "ada is an admin of shop.\n"],
    [false, "ada is a member, and no admin, of shop.\n"],
  ])("with other rights is told so (%p)", (isAdmin, expected) => {
    expect(renderAdded({ ...added, password: null, project_is_new: false }, isAdmin)).toStartWith(expected);
  });
});

test("the members of a project", () => {
  const ada = { role: "ada", isAdmin: true, turns: 120, usedBytes: 1_240_000, maxBytes: 2_000_000_000 };
  const bob = { role: "bob", isAdmin: false, turns: 0, usedBytes: 0, maxBytes: 5_000_000, lastSent: null };
  expect(
    renderMembers("shop", [{ ...ada, lastSent: "2026-03-04T11:58:00Z" }, bob], SCREEN),
  ).toBe(`MEMBER  RIGHT  TURNS   STORED   QUOTA  LAST SENT
ada     admin    120   1.2 MB  2.0 GB  2 minutes ago
bob                0  0 bytes  5.0 MB  never
`);
  expect(renderMembers("shop", [], SCREEN)).toBe("shop has no members.\n");
});
