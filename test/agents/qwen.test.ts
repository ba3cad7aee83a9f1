import { join } from "node:path";
import { qwen } from "../../src/agents/qwen.ts";
import { addLine, agentContract, installFolder } from "./contract.ts";

const FIXTURES = join(import.meta.dir, "../../fixtures/agents/qwen");

agentContract({
  agent: qwen,
  install: installFolder(join(FIXTURES, "home")),
  project: "/home/dev/kettle",
  sessions: [1, 2].map((n) => `5a000000-000${n}-4000-8000-00000000000${n}`),
  golden: join(FIXTURES, "read.txt"),
  neverStored: [
    "Notes from earlier sessions",
    "Content from referenced files",
    "that a hook added",
    "An unmarked note",
    "never stored telemetry",
    "background tasks are done",
    "Thanks for the additional context",
    "Another project",
  ],
  addUnknown: (source) => {
    addLine(source, { uuid: "u", sessionId: "s", type: "invented_tomorrow", message: { parts: [] } });
    return "invented_tomorrow";
  },
  badLine: '{"uuid":"u","sessionId":"s","type":"assistant","message":{"role":"mod',
});
