import { type Finder, finder, firstGroup } from "./finder.ts";
import { isFolderCode } from "./second-factors.ts";
import type { Secret } from "./spans.ts";

/** Words that every sentence needs and word lists of wallets hardly contain. */
const FUNCTION_WORDS =
  /\b(?:the|and|for|are|was|not|but|from|has|had|our|its|his|her|been|were|which|would|should|could|does|did|than|them|these|those|more|used|using|because|get|set)\b/;
/** What may stand between the words of a seed phrase: quotes, commas, line ends, numbers. */
const BETWEEN =
  "[\"'`]?(?:\\s{0,3},\\s{0,12}|\\s{1,12}|\\s{0,3}[·|]\\s{0,3})(?:[-*] )?(?:\\d{1,2}[.):]?\\s{1,4})?[\"'`]?";
const SEED = new RegExp(
  `[^\\n:=[]{0,30}?[\\s:=[("'\`]{1,16}(?:1[.):]?\\s{1,4})?["'\`]?([a-z]{3,8}(?:${BETWEEN}[a-z]{3,8}){11,23})(?![a-z])`,
  "y",
);

/** The words of a seed phrase, however they are separated. */
function seedPhrase(text: string, at: number): Secret | null {
  const place = firstGroup(text, at, SEED);
  if (place === null) return null;
  const words = text.slice(place.start, place.end);
  const different = new Set(words.match(/[a-z]+/g)).size;
  if (isFolderCode(words)) return { ...place, kind: "sync-code" };
  return FUNCTION_WORDS.test(words) || different < 10 ? null : { ...place, kind: "seed-phrase" };
}

const NUMBERS =
  /(?:recovery|backup) codes?\b[^\n\d]{0,60}[:\n]\s{0,8}((?:(?:[ \t>*-]|\d{1,2}[.)]){0,40}\d{3,6} \d{3,6}[ \t,;]*\n?){2,24})/iy;

/** Codes of two groups of digits, in a list. */
function numbers(text: string, at: number): Secret | null {
  const place = firstGroup(text, at, NUMBERS);
  return place === null ? null : { ...place, kind: "recovery-codes" };
}

/** What lets somebody in who lost the rest, and the secrets of second factors and wallets that their places show. */
export const RECOVERY_FINDERS: readonly Finder[] = [
  {
    words: ["seed", "Seed", "SEED", "words:", "Words:", "mnemonic", "MNEMONIC", "phrase:"],
    find: seedPhrase,
  },
  { words: ["recovery code", "Recovery code", "backup code", "Backup code"], find: numbers },
  finder(
    [
      ...[
        "revocation code",
        "revocation_code",
        "rescue code",
        "Rescue code",
        "emergency code",
        "access code",
      ],
      ...["setup code", "Setup code", "recovery code", "Recovery code"],
    ],
    "recovery-code",
    /\w{5,10}[ _]code["']?(?:\s?[:=]|\sis)?\s{1,2}["'`]?((?=[A-Z-]{0,40}\d)[A-Z0-9]{3,12}(?:-[A-Z0-9]{2,12}){0,7}|(?:[a-z0-9]{4} ){7}[a-z0-9]{4})(?![\w-])/y,
  ),
  finder(
    [
      "TOTP.new(",
      "totp.new(",
      "TOTP(",
      "accounts add ",
      "gauth: ",
      "or type: ",
      "or type ",
      "Authenticator: ",
      "authenticator: ",
    ],
    "totp-secret",
    /[\w. ]{4,13}[(:]?\s?(?:[\w.@:-]{1,60}:? )?["'`]?((?=[A-Z]{0,64}[2-7])[A-Z2-7]{16,64}|(?:[A-Z2-7]{4}[ -]){3,15}[A-Z2-7]{4})(?![A-Za-z0-9])/y,
  ),
  finder(["edsk"], "private-key", /(edsk[1-9A-HJ-NP-Za-km-z]{50,94})(?!\w)/y),
  finder(["ADD_ONION "], "private-key", /ADD_ONION ED25519-V3:([\w+/]{80,90}={0,2})/y),
  finder(["HidServAuth "], "private-key", /HidServAuth \S{1,64} ([\w+/]{20,24})(?!\S)/y),
  finder(["CLIENT_RANDOM "], "session-key", /CLIENT_RANDOM [0-9a-fA-F]{64} ([0-9a-fA-F]{64,128})/y),
  finder(["hmac-sha", "hmac-md5"], "tsig-key", /hmac-\w{3,6}:[\w.-]{1,80}:([\w+/]{16,100}={0,2})(?!\S)/y),
  finder(["BORG_KEY "], "private-key", /BORG_KEY [0-9a-f]{64}\s{1,4}((?:[\w+/=]{20,80}\s{0,4}){1,20})/y),
  finder(
    ["key ", "Key ", "pk ", "PK=0x", "pk=0x"],
    "private-key",
    /(?<=(?:(?:view|spend|kg|pki|aes|AES|hmac|HMAC|network|master|encryption|node|wallet|validator|eth|ETH|deployer) |[0-9a-f]{32} |export ))(?:[kK]ey |pk |PK=|pk=)(?:0x)?([0-9a-fA-F]{32,128}|[\w+/]{43}=)(?![\w+/=])/y,
  ),
  finder(
    ["seed = ", "SEED = ", "seed: ", "Seed = "],
    "private-key",
    /seed(?: =|:) [^\n"'`]{0,24}["'`]([0-9a-fA-F]{64,128})["'`,]/iy,
  ),
];
