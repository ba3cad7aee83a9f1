import { type Finder, finder, firstGroup } from "./finder.ts";
import { PASSWORD, SECRET } from "./names.ts";
import type { Secret } from "./spans.ts";
import { isSecretValue } from "./values.ts";

/** Words between the name of a password and its value: `for ada`, `für den Server`, `do serwera`. */
const WHOSE =
  "(?:for|of|on|to|at|from|für|von|vom|der|des|zu|zur|zum|pour|du|de|del|della|dell'|para|do|da|el|la|van|voor|til|för)";
const LINK = "(?:\\s?[:=]|\\s(?:is|ist|lautet|est|es|è|é|to|jest)(?=[\\s:]):?)";
const VALUE = "\\s{0,3}[\"'`«]?([^\\s\"'`»]{5,200})";
const WORDS =
  "password|passphrase|passcode|passwort|kennwort|zugangscode|mot de passe|senha|wachtwoord|haslo|parola d'ordine";

/** `Passwort für den Server: value`, and a value on the line below `the password is`. */
const PROMPT = new RegExp(
  `(?:${WORDS})\\s(?:(?:(?:is|was|has been)\\s)?(?:(?:generated|created|set|reset)\\s)?${WHOSE}\\s?[^\\n:=]{1,80}?${LINK}${VALUE}|(?:[^\\s.,:;=]{1,20}\\s){0,5}?(?:auf|to|en|a|para|na|op|in|als|su)(?=\\s)${VALUE}|(?:is|ist|est|lautet):?[ \\t]*(?:\\r?\\n){1,2}[ \\t]*\`?([^\\s\`]{6,200})(?=\`?\\s|\`?$))`,
  "iuy",
);

function askedFor(text: string, at: number): Secret | null {
  const place = firstGroup(text, at, PROMPT);
  if (place === null) return null;
  const value = text.slice(place.start, place.end).replace(/[.,;!?)]+$/, "");
  if (!isSecretValue(value, PASSWORD, "sentence")) return null;
  return { start: place.start, end: place.start + value.length, kind: "password" };
}

/** `API key for the weather service: value`, and the like of tokens. */
const KEY_FOR = new RegExp(
  `(?:(?<=\\b(?:api|access|secret|private|service|auth|account|signing|encryption|admin|master|deploy|webhook|app|application|client|license|licence)[ -])key|(?<!\\b(?:next|page|sync|continuation|device|push|id|design|cancel|cancellation)[ -])(?:token|secret))\\s(?:for|of|to|from)\\s[^\\n:=]{1,80}?${LINK}${VALUE}`,
  "iuy",
);

function keyFor(text: string, at: number): Secret | null {
  const place = firstGroup(text, at, KEY_FOR);
  if (place === null) return null;
  const value = text.slice(place.start, place.end).replace(/[.,;!?)]+$/, "");
  if (!isSecretValue(value, SECRET, "sentence")) return null;
  return { start: place.start, end: place.start + value.length, kind: "secret" };
}

const KEY_FOR_WORDS = ["key", "Key", "token", "Token", "secret", "Secret"].flatMap((word) =>
  ["for", "of", "to", "from"].map((link) => `${word} ${link} `),
);

/** The words that ask for a secret, within a sentence and at its start. */
const PROMPT_WORDS = WORDS.split("|").flatMap((word) => [
  `${word} `,
  `${word[0]?.toUpperCase()}${word.slice(1)} `,
]);

const LINE = "[^\\n]{0,200}";

/** Commands that print a secret on the next line: how each starts, and what else it has to say. */
const PRINTING: readonly (readonly [word: string, rest: string])[] = [
  ["kubectl ", `[^\\n]{0,60}?(?:get secrets?\\s[^\\n]{0,300}?\\.data|create token )${LINE}`],
  ["gcloud secrets versions access", LINE],
  ["gcloud auth ", `(?:application-default )?print-(?:access|identity)-token${LINE}`],
  ["argocd admin initial-password", LINE],
  ["az account get-access-token", LINE],
  ["az keyvault secret show", LINE],
  ["az ", `[^\\n]{0,120}?(?:keys? (?:list|show|renew)|credential (?:show|reset|renew)|list-keys)\\s${LINE}`],
  ["aws ecr get-login-password", LINE],
  ["aws secretsmanager get-", LINE],
  ["aws ssm get-parameter", `[^\\n]{0,200}?--with-decryption${LINE}`],
  ["aws configure get", `\\s+\\S{0,40}(?:secret|token)${LINE}`],
  ["aws sts ", `[^\\n]{0,200}?(?:SessionToken|SecretAccessKey)${LINE}`],
  ["aws rds generate-db-auth-token", LINE],
  ["wg gen", `(?:key|psk)[^\\n]{0,80}`],
  ["openssl rand", LINE],
  ["pwgen ", LINE],
  ["op read", LINE],
  ["pass show", LINE],
  ["bw get password", LINE],
  ["vault kv get", `[^\\n]{0,200}?-field${LINE}`],
  ["output -raw ", `\\S{0,60}(?:pass|secret|token|key)${LINE}`],
  ["pulumi ", `(?:stack output|config get) ${LINE}(?:--show-secrets|[Pp]assword|[Ss]ecret|[Tt]oken)${LINE}`],
  ["heroku auth:token", LINE],
  ["gh auth token", LINE],
  ["secret-tool lookup", LINE],
  ["security find-", `(?:generic|internet)-password${LINE}`],
];

export const ANSWER_FINDERS: readonly Finder[] = [
  { words: PROMPT_WORDS, find: askedFor },
  { words: KEY_FOR_WORDS, find: keyFor },
  finder(
    PRINTING.map(([word]) => word),
    "secret",
    new RegExp(
      `(?:${PRINTING.map((parts) => parts.join("")).join("|")})\\r?\\n[ \\t]*(?![a-z0-9-]+(?:\\.[a-z0-9-]+){2,}(?:\\s|$))([\\w+/=.~!@#%^*?&:-]{8,4000})(?=\\s|$)`,
      "y",
    ),
    true,
  ),
  // A file that holds nothing but a secret, and a lone random word below its name.
  finder(
    ["/secrets/", "initialAdminPassword", "node-token", "agent-token"],
    "secret",
    /[^\n]{0,120}\r?\n[ \t]*((?=\S{0,80}\d)[\w+/=.~!@#%^*?&:-]{12,4000})[ \t]*(?:\r?\n|$)/y,
    true,
  ),
  finder(["secret value:"], "secret", /secret value:\s{0,3}(?:[….*]{1,3}\s)?(\S{8,400})/y, true),
];
