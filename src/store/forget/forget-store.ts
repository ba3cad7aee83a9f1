import type { Connection } from "../connection/connection.ts";
import type { ForgetStore } from "../store.ts";
import { compact, needsCompact, usedBytes } from "./compact.ts";
import { NO_PLAN, planForget } from "./plan.ts";
import { previewForget } from "./preview.ts";
import { planPrune } from "./prune.ts";
import { removeTurns } from "./turns.ts";

export function forgetStore(c: Connection): ForgetStore {
  return {
    plan: async (selection) => c.snapshot(() => planForget(c, selection)),
    planPrune: async (request) => c.snapshot(() => planPrune(c, request)),
    preview: async (plan, isPrune = false) => c.snapshot(() => previewForget(c, plan, isPrune)),
    forget: async (plan) => removeTurns(c, plan, false),
    prune: async (plan) => removeTurns(c, plan, true),
    forgetTurns: async (turnIds) => removeTurns(c, { ...NO_PLAN, turnIds }, false),
    async forgetSession(sessionId) {
      removeTurns(c, planForget(c, { sessionId }), false);
    },
    usedBytes: async () => usedBytes(c),
    needsCompact: async () => needsCompact(c),
    compact: () => compact(c),
  };
}
