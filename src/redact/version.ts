/** The version of the rules. A memory that was searched with older rules is searched again. */
export const RULES_VERSION = 24;
