import type { StoredModel, SwitchOutcome } from "./types/stored.ts";

/** The model whose vectors are searched. */
export interface ActiveModelStore {
  active(): Promise<{ id: string; dimensions: number } | null>;
}

/** Models and their vectors. One model is active while the vectors of another are added. */
export interface ModelStore extends ActiveModelStore {
  list(): Promise<StoredModel[]>;
  /** Adds a model. Every chunk then lacks a vector of it. The first model becomes the active one. */
  add(model: { id: string; dimensions: number }): Promise<void>;
  activate(id: string): Promise<void>;
  /** The model that becomes active when its vectors are complete. */
  next(): Promise<{ id: string; dimensions: number } | null>;
  /** Makes this the next model. For the active model, clears the next one. */
  prepare(model: { id: string; dimensions: number }): Promise<void>;
  /** If no vector is missing, computes the model's access patterns and makes it active, in one transaction. */
  switchTo(id: string): Promise<SwitchOutcome>;
  /** Removes a model that is not active, and its vectors. */
  remove(id: string): Promise<void>;
}
