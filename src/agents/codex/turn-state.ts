import { type JsonObject, numberOf, parseObject, stringOf } from "../../io/json.ts";

/**
 * The current turn of a rollout, and the number of its prompts and texts so far. A rewritten rollout has other ids
 * for the same records, so a turn and a number identify a record.
 */
export class TurnState {
  #id: string | null;
  #cwd: string | null;
  #model: string | null;
  #prompts: number;
  #words: number;
  #text: string | null = null;

  /** Parses a text that `text` returned. */
  constructor(text: string | null) {
    const state = (text === null ? null : parseObject(text)) ?? {};
    this.#id = stringOf(state.id);
    this.#cwd = stringOf(state.cwd);
    this.#model = stringOf(state.model);
    this.#prompts = numberOf(state.prompts) ?? 0;
    this.#words = numberOf(state.words) ?? 0;
  }

  get id(): string | null {
    return this.#id;
  }

  get cwd(): string | null {
    return this.#cwd;
  }

  get model(): string | null {
    return this.#model;
  }

  /** Serialises the state for a later read that continues here. */
  get text(): string {
    this.#text ??= JSON.stringify({
      id: this.#id,
      cwd: this.#cwd,
      model: this.#model,
      prompts: this.#prompts,
      words: this.#words,
    });
    return this.#text;
  }

  /** True for the current turn, and when nothing says which turn is meant. */
  isCurrent(turnId: string | null): boolean {
    return turnId === null || this.#id === null || turnId === this.#id;
  }

  start({ turn_id: given }: JsonObject): void {
    const id = stringOf(given);
    if (id === this.#id) return;
    this.#id = id;
    this.#prompts = 0;
    this.#words = 0;
    this.#text = null;
  }

  context(payload: JsonObject): void {
    this.start(payload);
    this.#cwd = stringOf(payload.cwd) ?? this.#cwd;
    this.#model = stringOf(payload.model) ?? this.#model;
    this.#text = null;
  }

  nextPrompt(): number {
    this.#text = null;
    return this.#prompts++;
  }

  nextWords(): number {
    this.#text = null;
    return this.#words++;
  }
}
