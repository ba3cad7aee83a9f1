import { expect, test } from "bun:test";
import { dependencies } from "../../package.json";
import { licensesText } from "../../src/assets/licenses/text.ts";

const FIRST_SEPARATOR = "=".repeat(80);

test("the list names every package that the binary contains, and what else is in it", () => {
  const [list = ""] = licensesText().split(FIRST_SEPARATOR, 1);
  const packages = Object.keys(dependencies).map((name) =>
    name.replace(/^onnxruntime-(node|web|common)$/, "-$1"),
  );
  const others = ["Bun", "JavaScriptCore", "SQLite", "ONNX Runtime", "bge-small-en-v1.5"];
  for (const name of [...packages.map((name) => name.replace("-node", "onnxruntime-node")), ...others])
    expect(list).toContain(name);
});

test("the full texts follow", () => {
  const text = licensesText();
  for (const phrase of [
    "GNU LIBRARY GENERAL PUBLIC LICENSE",
    "GNU LESSER GENERAL PUBLIC LICENSE",
    "TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION",
    "THIRD PARTY SOFTWARE NOTICES AND INFORMATION",
    "Copyright (c) 2022 staoxiao",
    "Alex Garcia",
  ])
    expect(text).toContain(phrase);
});
