/**
 * The version of the rules. A memory that was searched with older rules is searched again. Raise it when a rule changes; where only
 * the code does, change the digest of this folder alone, and compare what both find in a large text.
 *
 * @digest c00e2a3d566db0c8
 */
export const RULES_VERSION = 27;
