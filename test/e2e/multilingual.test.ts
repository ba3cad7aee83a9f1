import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { MULTILINGUAL } from "../../src/constants.ts";
import { Sandbox } from "../support/sandbox.ts";
import { Client, workerDone } from "./client.ts";

/**
 * A history in Korean with the model for many languages. It runs where the archive lies in `dist/release`, or where
 * `MULTILINGUAL_ARCHIVE` says: `bun run make:model && bun test --timeout 120000 test/e2e/multilingual.test.ts`.
 */
const ARCHIVE = resolve(process.env.MULTILINGUAL_ARCHIVE ?? `dist/release/${MULTILINGUAL.archive}`);
const MAX_BYTES = 300e6;

const HISTORY = [
  [
    "이미지 업로드가 왜 413으로 실패하는지 찾아 줘.",
    "원인은 프록시의 본문 크기 제한이 1MB였기 때문입니다. 업로드 한도는 20MB로 올리고, 서버에서도 같은 값을 검사하기로 결정했습니다.",
  ],
  [
    "결제 요청이 두 번 처리되는 문제를 고쳐 줘.",
    "재시도할 때마다 새 멱등 키를 만들어서 생긴 일입니다. 앞으로 모든 결제 재시도는 처음의 멱등 키를 그대로 써야 합니다.",
  ],
  [
    "보고서의 날짜가 하루씩 밀려서 나와. 이유가 뭐야?",
    "데이터베이스는 UTC로 저장하는데 화면에서 현지 시간으로 바꾸지 않았습니다. 날짜는 항상 UTC로 저장하고 표시할 때만 변환합니다.",
  ],
  [
    "윈도우에서 테스트가 가끔 깨지는데 안정적으로 만들어 줘.",
    "파일이 아직 열려 있을 때 지우려고 해서 깨졌습니다. 파일을 닫은 뒤에 지우도록 순서를 바꿨습니다.",
  ],
  [
    "로그가 디스크를 다 채우고 있어. 어떻게 할까?",
    "로그는 매일 돌려서 14일만 보관하기로 정했습니다. 더 오래된 로그는 압축하지 않고 삭제합니다.",
  ],
] as const;

describe.skipIf(!existsSync(ARCHIVE))("a Korean history on the compiled binary", () => {
  let sandbox: Sandbox;

  beforeAll(async () => {
    sandbox = await Sandbox.create();
    for (const [at, [prompt, answer]] of HISTORY.entries()) {
      const claude = new Client(sandbox, {}, at + 1);
      claude.asked(prompt);
      claude.say(answer);
    }
    expect((await sandbox.run(["enable"])).exitCode).toBe(0);
    expect((await sandbox.run(["ingest", "--now"])).exitCode).toBe(0);
  });
  afterAll(async () => {
    await workerDone(sandbox);
    await sandbox[Symbol.asyncDispose]();
  });

  test("takes the model from the directory of a release, in the background", async () => {
    const env = { MEMENTOR_BASE_URL: dirname(ARCHIVE) };
    const { stdout, exitCode } = await sandbox.run(
      ["model", "use", "multilingual", "--background", "--json"],
      {
        env,
        timeoutMs: 60_000,
      },
    );
    expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({
      exitCode: 0,
      outcome: "started",
      model: { id: MULTILINGUAL.id },
    });
    expect((await sandbox.run(["ingest", "--now"], { timeoutMs: 60_000 })).exitCode).toBe(0);
    await workerDone(sandbox);
    const { models } = JSON.parse((await sandbox.run(["model", "list", "--json"])).stdout);
    expect(models.find((each: { state: string }) => each.state === "active")).toMatchObject({
      id: MULTILINGUAL.id,
      pending: 0,
    });
    expect((await sandbox.run(["status"])).stdout).not.toContain("hooks go by words");
  });

  test("answers a prompt in other words, within the memory that a hook may take", async () => {
    const { told, maxRss } = await new Client(sandbox).prompt(
      "사용자가 큰 사진을 올리면 오류가 나는데, 최대 용량을 얼마로 정했었지?",
    );
    expect(told).toContain("20MB");
    expect(maxRss).toBeLessThan(MAX_BYTES);
  });

  test("finds a turn by a question in another language", async () => {
    const question = "How many days do we keep the log files?";
    const { stdout } = await sandbox.run(["search", question, "-k", "1", "--json"]);
    expect(JSON.parse(stdout).results[0].passage).toContain("14일");
  });

  test("says nothing on what the history does not hold", async () => {
    const { told } = await new Client(sandbox).prompt("파이썬으로 피보나치 수열을 출력하는 예제를 보여 줘");
    expect(told).toBeNull();
  });
});
