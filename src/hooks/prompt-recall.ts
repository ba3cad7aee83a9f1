import { changedSince } from "../recall/changed-files.ts";
import { isMarkedBad, trustedFilter } from "../recall/hidden.ts";
import { recall } from "../recall/recall.ts";
import type { AgentText } from "../recall/telling/agent-text.ts";
import { type RecallText, type RelatedRecall, renderRecall } from "../recall/telling/recall.ts";
import type { Worth } from "../recall/worth/choose.ts";
import type { ToldMatter } from "../recall/worth/told.ts";
import type { Runtime } from "../runtime.ts";
import { programCall } from "../setup/program/install-program.ts";
import type { SqliteStore } from "../store/sqlite/sqlite.ts";
import { cutAtWord } from "../text/cut.ts";
import { type Grounds, type HookCall, LATE_DECISION } from "./hook.ts";
import { instructedTo, saidNow } from "./known-to-agent.ts";
import type { PromptModel } from "./prompt-model.ts";
import type { PromptContext } from "./related-recall.ts";
import { relatedSubject } from "./related-subject.ts";
import { withheldReason, withheldTurns } from "./untold.ts";

/** The text for a prompt, its basis, and the decision, which also gives the reason for no text. */
export interface PromptRecall {
  text: AgentText | null;
  /** The same without what related projects said. */
  recordedText: string | null;
  /** What the journal records of the turns of related projects in the text. */
  relatedSubjects: string[];
  decision: string;
  grounds: Omit<Grounds, "prompt">;
}

/** Length of a passage's start in `mementor told`, in characters. */
const PASSAGE_START = 160;

/** Searches the memory for a prompt. Without a model, or when time runs out, it searches by keywords alone. */
export async function recallFor(
  prompt: string,
  call: HookCall,
  memory: Runtime,
  { store, model }: { store: SqliteStore; model: PromptModel },
): Promise<PromptRecall> {
  const { payload, timeLeftMs } = call;
  const { config } = await memory.config();
  const { search, journal, marks, browse } = store;
  const asker = {
    isInstructed: instructedTo(payload.client, memory, timeLeftMs),
    saidNow: saidNow(call),
    openEmbed: () => model.of(store),
    timeLeftMs,
  };
  const context = { prompt, sessionId: payload.session_id ?? "", config, asker };
  const deps = {
    ...asker,
    store: search,
    browse,
    recall: store.recall,
    journal,
    hidden: (vector: Float32Array | null) => withheldTurns(memory, store, { prompt, vector }),
    isMarkedBad: (vector: Float32Array | null) => isMarkedBad(marks, { prompt, vector }),
    filter: await trustedFilter(config, store),
    inVain: () => journal.toldInVain(context.sessionId),
  };
  const options = { limit: config.search.promptK, strictness: config.search.gate };
  const { outcome, told, worth, withheld } = await recall(prompt, context.sessionId, deps, options);
  const related = config.recall.related.length === 0 ? [] : await relatedAnswers(memory, store, context);
  if (outcome !== "told" && related.length === 0) {
    const gate = gateOf(worth);
    // Time ran out before the vector search.
    const why = timeLeftMs() <= 0 && outcome !== "empty" ? LATE_DECISION : outcome;
    if (withheld === null) return { ...NOTHING, decision: why, grounds: { turns: [], gate } };
    const decision = await withheldReason(withheld, memory, store);
    return { ...NOTHING, decision, grounds: { turns: [{ turnId: withheld, passage: null }], gate } };
  }
  const found = told.flatMap(({ states }) => states.map(({ conversation }) => conversation.found));
  const changed = await changedSince(found, memory.project.worktreeRoot, browse, () => timeLeftMs() <= 0);
  const rendered = renderRecall(told, changed, {
    related,
    limit: config.search.promptK,
    budget: config.budgets.prompt,
    program: programCall(memory.host),
    now: memory.host.now(),
  });
  return recallOf(rendered, told, worth);
}

/** Builds the answer and its record from the rendered text. */
function recallOf(
  rendered: RecallText | null,
  told: readonly ToldMatter[],
  worth: Worth | null,
): PromptRecall {
  // A map keeps the last entry of a key. Reversed, that is the first statement of a turn, which is in the text for sure.
  const said = new Map(
    told
      .flatMap(({ states }) => states.flatMap((state) => state.said))
      .map(({ turn, text }) => [turn.turnId, text] as const)
      .reverse(),
  );
  const turns = [...(rendered?.turnIds ?? []), ...(rendered?.replaced ?? [])].map((turnId) => ({
    turnId,
    passage: startOf(said.get(turnId) ?? null),
  }));
  return {
    text: rendered?.text ?? null,
    recordedText: rendered?.kept ?? null,
    relatedSubjects: (rendered?.related ?? []).flatMap(({ project, turnIds }) =>
      turnIds.map((turnId) => relatedSubject(project.id, turnId)),
    ),
    decision: rendered === null ? "nothing" : "told",
    grounds: { turns, gate: gateOf(worth) },
  };
}

/** The start of what was told, with `…` where it goes on: the list shows it also where no line is cut. */
function startOf(said: string | null): string | null {
  return said === null || said.length <= PASSAGE_START ? said : cutAtWord(said, PASSAGE_START);
}

/** Returns the best turn's probability and limit, for the log. */
function gateOf(worth: Worth | null): Grounds["gate"] {
  return worth && { probability: worth.probability, threshold: worth.limit };
}

const NOTHING = { text: null, recordedText: null, relatedSubjects: [] };

/** Asks the memories of related projects. */
async function relatedAnswers(
  memory: Runtime,
  { search, journal }: SqliteStore,
  context: PromptContext,
): Promise<RelatedRecall[]> {
  const { recallRelated } = await import("./related-recall.ts");
  const told = await journal.subjectsToldIn(context.sessionId, "user-prompt-submit");
  return recallRelated(memory, context, { told, modelId: await search.modelId() });
}
