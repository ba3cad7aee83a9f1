import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { MCP_LIMITS } from "../../src/constants.ts";
import type { Embedder } from "../../src/embed/embedder.ts";
import { MementorError } from "../../src/errors.ts";
import { findProject } from "../../src/io/git/project.ts";
import { questionModel } from "../../src/mcp/question-model.ts";
import { SILENT_LOG } from "../../src/project/log.ts";
import { createHashEmbedder } from "../support/hash-embedder.ts";
import { hostIn } from "../support/host.ts";
import { SCRATCH } from "../support/scratch.ts";

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Asks a question after another, each with what opens the model then; returns the reasons why it was not there. */
function asked(open: () => Promise<Embedder>, env: Record<string, string> = {}) {
  const { host } = hostIn({ argv: [], cwd: SCRATCH, homeDir: SCRATCH, now: new Date(), env });
  const embed = questionModel({
    host,
    project: findProject(SCRATCH),
    log: async () => SILENT_LOG,
    withoutUnpacking: () => ({ openEmbedder: open }),
  });
  const reasons: string[] = [];
  const ask = (text: string, id?: string) => embed(text, id, ({ code }) => reasons.push(code));
  return { ask, reasons };
}

test("a question waits for a model as long as it may, and the next one has it", async () => {
  const opening = Promise.withResolvers<Embedder>();
  let opened = 0;
  const { ask, reasons } = asked(() => {
    opened++;
    return opening.promise;
  });
  const first = ask("kettle");
  await Promise.resolve();
  jest.advanceTimersByTime(MCP_LIMITS.modelMs);
  expect([await first, reasons]).toEqual([null, ["timeout"]]);
  opening.resolve(createHashEmbedder());
  expect(await ask("kettle")).toEqual(await createHashEmbedder().embed("kettle"));
  expect([opened, reasons]).toEqual([1, ["timeout"]]);
});

test("it waits so many times as long as MEMENTOR_PATIENCE says", async () => {
  const opening = Promise.withResolvers<Embedder>();
  const { ask, reasons } = asked(() => opening.promise, { MEMENTOR_PATIENCE: "3" });
  const first = ask("kettle");
  await Promise.resolve();
  jest.advanceTimersByTime(MCP_LIMITS.modelMs * 2);
  opening.resolve(createHashEmbedder());
  expect([await first, reasons]).toEqual([await createHashEmbedder().embed("kettle"), []]);
});

test("a model that is not unpacked is tried again for the next question", async () => {
  const isUnpacked = [false, true];
  const { ask, reasons } = asked(async () => {
    if (isUnpacked.shift()) return createHashEmbedder();
    throw new MementorError("assets_packed", "the binding is not unpacked yet");
  });
  expect([await ask("kettle"), reasons]).toEqual([null, ["assets_packed"]]);
  expect(await ask("kettle")).toEqual(await createHashEmbedder().embed("kettle"));
});

test("a text that cannot be embedded costs no answer", async () => {
  const broken = { ...createHashEmbedder(), embed: () => Promise.reject(new TypeError("broken")) };
  const { ask, reasons } = asked(async () => broken);
  expect([await ask("kettle"), reasons]).toEqual([null, ["internal"]]);
});
