import { join } from "node:path";
import { codex } from "../../../src/agents/codex/agent.ts";
import { addLine, agentContract, installFolder } from "../contract.ts";

const FIXTURES = join(import.meta.dir, "../../../fixtures/agents/codex");

agentContract({
  agent: codex,
  install: installFolder(join(FIXTURES, "home")),
  project: "/home/dev/kettle",
  sessions: [1, 2, 4, 6, 7, 8].map((n) => `0199a000-000${n}-7000-8000-00000000000${n}`),
  golden: join(FIXTURES, "read.txt"),
  neverStored: [
    "Notes from earlier sessions",
    "<environment_context>",
    "Never boil dry",
    "<turn_aborted>",
    "the notification echo",
    "Another language model started",
    "never stored tools",
    "late words",
    "Another project",
  ],
  addUnknown: (source) => {
    addLine(source, { timestamp: "2026-03-06T10:00:00.000Z", type: "invented_tomorrow", payload: { x: 1 } });
    return "invented_tomorrow";
  },
  badLine: '{"timestamp":"2026-03-06T10:00:00.000Z","type":"event_msg","payload":{"type":"item_comp',
});
