import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

test("ONNX Runtime keeps no device id and no reports", async () => {
  const home = mkdtempSync(join(tmpdir(), "mementor-telemetry-"));
  const { PATH = "" } = process.env;
  const child = Bun.spawn([process.execPath, join(import.meta.dirname, "embed-child.ts")], {
    env: { PATH, HOME: home, BUN_INSTALL: home },
    stdout: "pipe",
  });
  expect(await new Response(child.stdout).text()).toBe("384");
  const left = readdirSync(home, { recursive: true }).map(String);
  expect(left.filter((name) => /microsoft|onnxruntime|deviceid/i.test(name))).toEqual([]);
  rmSync(home, { recursive: true });
}, 600_000);
