import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { TARGETS } from "../../src/assets/target.ts";

const DIRECTORY = join(import.meta.dir, "..", "..", ".github", "workflows");
const workflows = readdirSync(DIRECTORY).map((name) => ({
  name,
  text: readFileSync(join(DIRECTORY, name), "utf8"),
}));

test("actions are pinned by commit, with the version beside it", () => {
  const uses = workflows.flatMap(({ text }) => text.match(/uses: .*/g) ?? []);
  expect(uses.length).toBeGreaterThan(5);
  expect(uses.filter((line) => !/^uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
});

test("a workflow may read, and only the job that publishes may write", () => {
  for (const { text } of workflows) expect(text).toMatch(/^permissions:\n {2}contents: read\n\n/m);
  const writers = workflows.flatMap(({ text }) =>
    text.split(/\n(?= {2}[\w-]+:\n)/).filter((job) => /: write\b/.test(job)),
  );
  expect(writers.map((job) => job.trim().split(":", 1)[0])).toEqual(["publish"]);
});

test("no expression of an event stands in a script", () => {
  for (const { text } of workflows) expect(text).not.toMatch(/run:.*\$\{\{ *github\.(?:event|head_ref)/);
});

test("CI runs the README's test command, and each target is tried before it is published", () => {
  const textOf = (name: string) => workflows.find((workflow) => workflow.name === name)?.text ?? "";
  expect(textOf("ci.yml")).toContain("npx --yes bun@1.4.5 run check");
  for (const target of TARGETS) expect(textOf("release.yml")).toContain(`target: ${target} }`);
});
