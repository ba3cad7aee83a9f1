import { MementorError } from "../errors.ts";

export interface ActiveModel {
  id: number;
  name: string;
  dimensions: number;
}

/** Rejects a vector that does not belong to the model's space. */
export function checkDimensions(model: ActiveModel, vector: Float32Array): void {
  if (vector.length === model.dimensions) return;
  throw new MementorError(
    "model_invalid",
    `a vector of ${vector.length} dimensions is not one of ${model.name}, which has ${model.dimensions}`,
  );
}
