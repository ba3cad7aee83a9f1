import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Talk } from "../support/projects.ts";
import { Sandbox } from "../support/sandbox.ts";
import { makeProject } from "./project.ts";

const KETTLE: Talk = [
  [
    "주전자 온도 센서가 왜 끓기 전에 꺼지는지 확인해줘",
    "온도 센서는 항상 두 번 읽어야 합니다. 첫 번째 값은 이전 측정값이기 때문입니다.",
  ],
  ["좋아, 그 규칙을 README에 적어줘", "README에 센서를 두 번 읽는다는 규칙을 적었습니다."],
];
const BOILER: Talk = [
  ["보일러 화면의 글꼴을 바꿔줘", "글꼴을 Noto Sans로 바꿨습니다. 화면이 작아서 자간도 줄였습니다."],
];

let sandbox: Sandbox;
let project: string;

beforeAll(async () => {
  sandbox = await Sandbox.create();
  project = await makeProject(sandbox, "kettle", [...KETTLE, ...BOILER]);
});
afterAll(() => sandbox[Symbol.asyncDispose]());

const asked = async (prompt: string) => {
  const input = { session_id: crypto.randomUUID(), cwd: project, prompt };
  const { stdout } = await sandbox.hook("user-prompt-submit", input, { cwd: project });
  return stdout === "" ? "" : JSON.parse(stdout).hookSpecificOutput.additionalContext;
};

test("a Korean history answers a Korean prompt, and neither an approval nor a chore", async () => {
  expect(await asked("온도 센서를 왜 두 번 읽어야 하지? 첫 번째 값에 문제가 있었나?")).toContain(
    "온도 센서는 항상 두 번 읽어야 합니다.",
  );
  expect(await asked("네, 계속 진행해줘")).toBe("");
  expect(await asked("변경 사항을 커밋하고 푸시해줘")).toBe("");
});

test("words attached to a particle are found", async () => {
  const { stdout } = await sandbox.run(["search", "readme", "--mode", "keyword", "-k", "1", "--json"], {
    cwd: project,
  });
  expect(stdout).toContain("README에 적어줘");
});
