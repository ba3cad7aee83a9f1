/** Counts the versions of the rules: a memory that was looked through with older ones is looked through again. */
export const RULES_VERSION = 10;
