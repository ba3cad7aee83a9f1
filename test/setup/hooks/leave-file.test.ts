import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  grantPermission,
  permissionFile,
  revokePermission,
} from "../../../src/setup/hooks/permission-file.ts";
import { agentTargets } from "../../../src/setup/hooks/targets.ts";

const PROGRAM = "/home/ada/.local/share/mementor/bin/mementor";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "mementor-leave-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const target = (id: string, env: Record<string, string> = {}) =>
  agentTargets({ env, homeDir: home, platform: "linux" }).find((each) => each.id === id) ??
  expect.unreachable(id);
const RULES = () => join(home, ".codex/rules/mementor.rules");

test("Codex and Gemini CLI are let run recall by its name and its path, by a file that is ours alone", () => {
  expect(grantPermission(target("codex"), PROGRAM)).toEqual({ file: RULES(), change: "created" });
  expect(readFileSync(RULES(), "utf8")).toBe(
    `# Written by mementor, which reads the memory of a project. "mementor disable" removes it.
prefix_rule(pattern = ["mementor", "recall"], decision = "allow")
prefix_rule(pattern = ["${PROGRAM}", "recall"], decision = "allow")
`,
  );
  const policy = join(home, ".gemini/policies/mementor.toml");
  expect(grantPermission(target("gemini"), "C:\\Users\\ada\\mementor.exe")).toEqual({
    file: policy,
    change: "created",
  });
  expect(Bun.TOML.parse(readFileSync(policy, "utf8"))).toEqual({
    rule: [
      {
        toolName: "run_shell_command",
        commandPrefix: ["mementor recall", "C:\\Users\\ada\\mementor.exe recall"],
        decision: "allow",
        priority: 100,
      },
    ],
  });
  for (const id of ["qwen", "copilot", "cursor", "droid", "opencode"])
    expect(grantPermission(target(id), PROGRAM)).toBeNull();
});

test("the file lies in the directory that CODEX_HOME names", () => {
  const elsewhere = join(home, "elsewhere");
  expect(permissionFile(target("codex", { CODEX_HOME: elsewhere }), PROGRAM)).toEqual({
    file: join(elsewhere, "rules/mementor.rules"),
    state: "none",
  });
});

test.each(["codex", "gemini"])(
  "%s: what mementor wrote for any path goes, and any other text stays",
  (id) => {
    const { file } = permissionFile(target(id), PROGRAM) ?? expect.unreachable(id);
    for (const program of [PROGRAM, 'C:\\Program "Files"\\mementor.exe', null]) {
      grantPermission(target(id), program);
      expect(permissionFile(target(id), program)?.state).toBe("current");
      expect(permissionFile(target(id), "/opt/other")?.state).toBe("outdated");
      expect(revokePermission(target(id))).toEqual({ file, change: "removed" });
      expect([existsSync(file), existsSync(dirname(file))]).toEqual([false, false]);
      expect(revokePermission(target(id))).toEqual({ file, change: "unchanged" });
    }
    grantPermission(target(id), PROGRAM);
    const ours = readFileSync(file, "utf8");
    for (const theirs of [
      `${ours}# mine\n`,
      ours.replace("recall", "forget"),
      ours.replace(PROGRAM, ""),
      "",
      "x",
    ]) {
      writeFileSync(file, theirs);
      expect(grantPermission(target(id), PROGRAM)).toEqual({ file, change: "foreign" });
      expect(revokePermission(target(id))).toEqual({ file, change: "foreign" });
      expect(readFileSync(file, "utf8")).toBe(theirs);
    }
    rmSync(file);
    mkdirSync(file);
    expect(permissionFile(target(id), PROGRAM)?.state).toBe("foreign");
  },
);
