import { join } from "node:path";
import { antigravity } from "../../../src/agents/antigravity/agent.ts";
import { addLine, agentContract } from "../contract.ts";
import { installAntigravity, PROJECT, SESSIONS } from "./home.ts";

agentContract({
  agent: antigravity,
  install: installAntigravity,
  project: PROJECT,
  sessions: SESSIONS,
  golden: join(import.meta.dir, "../../../fixtures/agents/antigravity/read.txt"),
  neverStored: [
    "USER_REQUEST",
    "ADDITIONAL_METADATA",
    "current local time",
    "Model Selection",
    "never stored",
    "user denied",
    "Another project",
  ],
  addUnknown: (source) => {
    addLine(source, {
      step_index: 99,
      source: "ORACLE",
      type: "PROPHECY",
      created_at: "2026-06-09T00:00:00Z",
    });
    return "prophecy";
  },
  badLine: '{"step_index":98,"source":"MODEL","type":"PLANNER_RESPONSE","content":"Half of',
});
