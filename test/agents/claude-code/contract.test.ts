import { cpSync } from "node:fs";
import { join } from "node:path";
import { claudeCode } from "../../../src/agents/claude-code/agent.ts";
import { addLine, agentContract } from "../contract.ts";

const FOLDER = "projects/-home-dev-tidemark";
const SAMPLE = join(import.meta.dir, "../../../fixtures/transcripts/sample", FOLDER);
const SESSIONS = ["7d52e9b4-0c3f-4a86-b1de-5f4c6a7b8d03", "b3a86f25-71d4-4e0b-a2c9-6d5e4f3a2b05"];

agentContract({
  agent: claudeCode,
  install: (home) => {
    for (const session of SESSIONS)
      for (const name of [`${session}.jsonl`, session])
        cpIfThere(join(SAMPLE, name), join(home, ".claude", FOLDER, name));
  },
  project: "/home/dev/tidemark",
  sessions: SESSIONS,
  neverStored: ["<system-reminder>", "hook_progress"],
  addUnknown: (source) => {
    addLine(source, { type: "invented-tomorrow", sessionId: SESSIONS[0], uuid: "u", text: "Unheard of" });
    return "invented-tomorrow";
  },
  badLine: '{"parentUuid":null,"type":"user","sessionId":"x","message":{"role":"us',
});

function cpIfThere(from: string, to: string): void {
  try {
    cpSync(from, to, { recursive: true });
  } catch {
    // Only some sessions have subagents.
  }
}
