import { MementorError } from "../../errors.ts";
import { realPathIfExists } from "../../io/read.ts";
import { checkEnable, type EnableRequest } from "../../project/enable.ts";
import { hooksState } from "../../project/hooks-state.ts";
import { renderWrites, type SettingsWrite } from "../../render/enable.ts";
import type { Runtime } from "../../runtime.ts";
import { ask, canAsk } from "../shared/ask.ts";
import { chooseAgents } from "./agents.ts";
import type { AgentOptions, Chosen, Named } from "./chosen.ts";
import { findHistory, type History, historyQuestion } from "./history.ts";

/** What `enable` is going to do. */
export interface EnablePlan {
  agents: Chosen;
  /** The settings of Claude Code that get hooks. */
  settings: SettingsWrite[];
  history: History;
  /** Whether the history is read. */
  reads: boolean;
}

/**
 * Checks what can be checked, says which settings will be written, and asks all questions, before anything is changed.
 * Resolves to null when the person quits. Throws `usage` in the home directory, which is not a project.
 */
export async function planEnable(
  request: EnableRequest,
  options: Omit<AgentOptions, "asks"> & {
    named: Named;
    history: boolean | undefined;
    json: boolean;
    dryRun: boolean;
    taken: readonly { root: string }[];
  },
  runtime: Runtime,
): Promise<EnablePlan | null> {
  const { host } = runtime;
  refuseHome(request, host.homeDir);
  const files = checkEnable(request);
  const asks = !options.json && !options.dryRun && canAsk(host);
  const settings = writesOf(files, request);
  if (!options.json && !options.dryRun) host.stdout.write(renderWrites(settings, request.scope));
  const agents = await chooseAgents(options.named, { ...options, asks }, runtime);
  if (agents === null) return null;
  const history = await findHistory(runtime, options.taken);
  const question = asks && options.history === undefined ? await historyQuestion(history, runtime) : null;
  const decision = question === null ? null : await ask(host, question, "yes");
  if (decision === "quit") return null;
  const isThere = history.sessions.length > 0;
  return { agents, settings, history, reads: options.history ?? (isThere && decision !== "no") };
}

/** The files that will change; those whose hooks are complete and up to date will not. */
function writesOf(files: readonly string[], request: EnableRequest): SettingsWrite[] {
  const states = hooksState(request.project, request);
  return files.map((file) => {
    const state = states.find((each) => each.file === file);
    const isCurrent =
      state !== undefined &&
      state.events.length > 0 &&
      state.missing.length + state.outdated.length === 0 &&
      state.problem === null;
    return { file, isCurrent };
  });
}

function refuseHome({ project, scope }: EnableRequest, homeDir: string): void {
  if (scope === "user" || project.root !== (realPathIfExists(homeDir) ?? homeDir)) return;
  throw new MementorError("usage", `${project.root} is your home directory, not a project.`, {
    hint: 'Run "mementor enable" in the directory of a project, or "mementor enable --scope user" for all your projects.',
  });
}
