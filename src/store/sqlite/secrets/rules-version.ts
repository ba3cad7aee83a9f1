import { RULES_VERSION } from "../../../redact/version.ts";

/** The version of the rules that the whole memory was cleaned with. */
const DONE = "secret_rules";

/** The key and value in `meta` of a memory that holds nothing, or only what went through the rules of today. */
export const CLEAN: readonly [key: string, value: string] = [DONE, String(RULES_VERSION)];
