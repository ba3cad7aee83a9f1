import type { ForgetStore } from "../../contract/store.ts";
import type { Connection } from "../connection/connection.ts";
import { importedFrom, planForget } from "./plan.ts";
import { previewForget } from "./preview.ts";
import { planPrune } from "./prune.ts";
import { removeTurns } from "./remove.ts";

export function forgetStore(connection: Connection): ForgetStore {
  return {
    plan: async (selection) => connection.snapshot(() => planForget(connection, selection)),
    planPrune: async (request) => connection.snapshot(() => planPrune(connection, request)),
    origins: async () => importedFrom(connection),
    preview: async (plan, isPrune = false) =>
      connection.snapshot(() => previewForget(connection, plan, isPrune)),
    forget: async (plan) => removeTurns(connection, plan, "forget"),
    prune: async (plan) => removeTurns(connection, plan, "prune"),
  };
}
