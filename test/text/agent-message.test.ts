import { expect, test } from "bun:test";
import fc from "fast-check";
import { headline, withoutAgentFrame } from "../../src/text/headline.ts";

test.each([
  [
    '{"type":"task_assignment","taskId":"2","subject":"Seal the \\"lid\\"","description":"With wax."}',
    'Seal the "lid"',
  ],
  ['{"type":"shutdown_request","requestId":"s-1","reason":"All tasks are done."}', "All tasks are done."],
  [
    '{"taskId":"7","type":"task_assignment","description":"Seal the lid.\\nWith wax."}',
    "Seal the lid. With wax.",
  ],
  ['{"type":"task_assignment","subject":"Seal the lid of the ket', "Seal the lid of the ket"],
  ['{"type":"ping","from":"lid-agent"}', '{"type":"ping","from":"lid-agent"}'],
  ["You are the lid-agent on team kettle-repair. Your task is #2: Seal the lid.", "Seal the lid."],
  ['You are a teammate on team "kettle". Your name is "lid". Read your task.', "Read your task."],
  ["You are on the wrong team. Your task is hard.", "You are on the wrong team. Your task is hard."],
  ["You are an expert in kettles. Seal the lid.", "You are an expert in kettles. Seal the lid."],
])("%p is named %p", (prompt, name) => {
  expect(headline(prompt)).toBe(name);
});

test("a message that is cut anywhere names something, and no half escape", () => {
  const subject = 'Seal the "lid" with a \\ and ü';
  const message = JSON.stringify({ type: "task_assignment", subject });
  fc.assert(
    fc.property(fc.integer({ min: message.indexOf("Seal") + 1, max: message.length }), (length) => {
      const name = withoutAgentFrame(message.slice(0, length));
      return subject.startsWith(name) && name !== "";
    }),
  );
});
