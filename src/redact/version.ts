/**
 * The version of the rules. A memory that was searched with older rules is searched again. Raise it when a rule changes. If only
 * code changes, update just this folder's digest, and compare the results of both versions on a large text.
 *
 * @digest 2e58d1e695a0d88d
 */
export const RULES_VERSION = 27;
