/** Raise it when `keywordText` makes something else of a text: memories are then indexed again, in the background. */
export const KEYWORDS_VERSION = 3;
