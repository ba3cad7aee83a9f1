/** The model for many languages that a release offers beside the program. */
export const MULTILINGUAL = {
  /** How `mementor model use` names it. */
  alias: "multilingual",
  archive: "mementor-model-multilingual.tar.gz",
  /** The directory in the archive; also the name of the imported model. */
  folder: "multilingual-e5-small-q4",
  /** The id that it gets when it is imported as it is. */
  id: "multilingual-e5-small-q4-e9f1a2a2",
  dimensions: 384,
} as const;

/** The name of its npm package, without the scope. */
export const MODEL_PACKAGE = "model-multilingual";
