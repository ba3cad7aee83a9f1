import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { downloadModel, type Fetch, isHubId } from "../../src/embed/models/hub.ts";
import { fakeHub, REVISION, type Trouble } from "../support/fake-hub.ts";
import { writeTinyModel } from "../support/tiny-model.ts";

const ENDPOINT = "https://hub.invalid";

let root: string;
let source: string;
let made = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "mementor-hub-"));
  source = await writeTinyModel(join(root, "source"), { files: { "README.md": "not fetched" } });
});
afterAll(() => rm(root, { recursive: true, force: true }));

const hub = (fetch: Fetch, signal = new AbortController().signal) => ({
  fetch,
  endpoint: ENDPOINT,
  onProgress: () => {},
  signal,
});
const staging = () => join(root, `staging-${made++}`);
const download = (trouble: Trouble, repository = "acme/tiny") =>
  downloadModel(repository, staging(), hub(fakeHub("acme/tiny", source, trouble)));

test("downloads only a model's files, all of one revision, and reports progress", async () => {
  const target = staging();
  const asked: string[] = [];
  const progress: { file: string; done: number; total: number }[] = [];
  const answer = fakeHub("acme/tiny", source);
  const fetch: Fetch = (url) => {
    asked.push(url.replace(ENDPOINT, ""));
    return answer(url);
  };
  const access = { ...hub(fetch), onProgress: (at: (typeof progress)[number]) => progress.push(at) };
  expect(await downloadModel("acme/tiny", target, access)).toBe(REVISION);
  const files = [
    "config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "1_Pooling/config.json",
    "onnx/model.onnx",
  ];
  expect(asked).toEqual([
    "/api/models/acme/tiny/revision/main",
    `/api/models/acme/tiny/tree/${REVISION}?recursive=true`,
    ...files.map((file) => `/acme/tiny/resolve/${REVISION}/${file}`),
  ]);
  for (const file of files)
    expect(await Bun.file(join(target, file)).bytes()).toEqual(await Bun.file(join(source, file)).bytes());
  expect(
    (await readdir(target, { recursive: true, withFileTypes: true })).filter((e) => e.isFile()),
  ).toHaveLength(files.length);
  const total = files.reduce((sum, file) => sum + Bun.file(join(source, file)).size, 0);
  expect(progress.at(-1)).toEqual({ file: "onnx/model.onnx", done: total, total });
});

describe("rejects", () => {
  test.each(["onnx/model.onnx", "config.json"])("what arrives changed: %s", async (spoil) => {
    await expect(download({ spoil })).rejects.toMatchObject({
      code: "io",
      message: `the download of ${ENDPOINT}/acme/tiny/resolve/${REVISION}/${spoil} does not match the hash that the hub lists`,
    });
  });

  test("a file that is longer than listed", async () => {
    await expect(download({ sizes: { "tokenizer.json": 100 } })).rejects.toMatchObject({ code: "io" });
  });

  test("a file that is too large, before it is fetched", async () => {
    await expect(download({ sizes: { "onnx/model.onnx": 4e9 } })).rejects.toMatchObject({
      code: "model_invalid",
      message: expect.stringContaining("4,000 MB"),
    });
  });

  test("what is not there", async () => {
    await expect(download({}, "acme/other")).rejects.toMatchObject({
      code: "not_found",
      message: `${ENDPOINT} has no public model acme/other`,
    });
  });

  test("answers that make no sense", async () => {
    const fetch: Fetch = async () => Response.json({ sha: "../../x" });
    await expect(downloadModel("acme/tiny", staging(), hub(fetch))).rejects.toMatchObject({
      code: "model_invalid",
    });
  });
});

test("without a network, the error says what to do instead", async () => {
  const offline: Fetch = async () => {
    throw new Error("Unable to connect. Is the computer able to access the url?");
  };
  await expect(downloadModel("acme/tiny", staging(), hub(offline))).rejects.toMatchObject({
    code: "io",
    message: `cannot reach ${ENDPOINT}: Unable to connect. Is the computer able to access the url?`,
    hint: 'Without a network, download the model elsewhere and run "mementor model use <directory>".',
  });
});

test("a download can be stopped", async () => {
  const stop = new AbortController();
  stop.abort(130);
  const fetch: Fetch = (_, { signal }) => Promise.reject(signal.reason);
  await expect(downloadModel("acme/tiny", staging(), hub(fetch, stop.signal))).rejects.toMatchObject({
    code: "io",
    message: "the download was stopped",
  });
});

test.each([
  ["Xenova/multilingual-e5-small", true],
  ["acme/tiny.v2", true],
  ["./models/tiny", false],
  ["/models/tiny", false],
  ["tiny", false],
  ["a/b/c", false],
  ["../tiny", false],
  ["~/tiny", false],
])("%s is written like an id of the hub: %p", (text, expected) => {
  expect(isHubId(text)).toBe(expected);
});
