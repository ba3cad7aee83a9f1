/**
 * The version of the rules. A memory that was searched with older rules is searched again. Raise it when a rule changes; where only
 * the code does, change the digest of this folder alone, and compare what both find in a large text.
 *
 * @digest 773d4b3f6b9cd854
 */
export const RULES_VERSION = 27;
