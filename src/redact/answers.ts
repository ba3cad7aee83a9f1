import { type Finder, finder, firstGroup } from "./finder.ts";
import { PASSWORD } from "./names.ts";
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
  `(?:${WORDS})\\s(?:${WHOSE}\\s?[^\\n:=]{1,80}?${LINK}${VALUE}|(?:is|ist|est|lautet):?[ \\t]*(?:\\r?\\n){1,2}[ \\t]*\`?([^\\s\`]{6,200})(?=\`?\\s|\`?$))`,
  "iuy",
);

function askedFor(text: string, at: number): Secret | null {
  const place = firstGroup(text, at, PROMPT);
  if (place === null) return null;
  const value = text.slice(place.start, place.end).replace(/[.,;!?)]+$/, "");
  if (!isSecretValue(value, PASSWORD, "sentence")) return null;
  return { start: place.start, end: place.start + value.length, kind: "password" };
}

/** The words that ask for a secret, within a sentence and at its start. */
const PROMPT_WORDS = WORDS.split("|").flatMap((word) => [
  `${word} `,
  `${word[0]?.toUpperCase()}${word.slice(1)} `,
]);

/** Commands that print a secret on the next line. */
const PRINTING =
  "kubectl\\s[^\\n]{0,60}?get secrets?\\s[^\\n]{0,300}?\\.data[^\\n]{0,200}|gcloud secrets versions access[^\\n]{0,200}|argocd admin initial-password[^\\n]{0,200}|gcloud auth (?:application-default )?print-(?:access|identity)-token[^\\n]{0,200}|az account get-access-token[^\\n]{0,200}|aws ecr get-login-password[^\\n]{0,200}|wg (?:genkey|genpsk)[^\\n]{0,80}|op read[^\\n]{0,200}|pass show[^\\n]{0,200}|vault kv get[^\\n]{0,200}?-field[^\\n]{0,200}|heroku auth:token[^\\n]{0,80}|az keyvault secret show[^\\n]{0,200}|aws secretsmanager get-secret-value[^\\n]{0,200}|gh auth token[^\\n]{0,80}";

export const ANSWER_FINDERS: readonly Finder[] = [
  { words: PROMPT_WORDS, find: askedFor },
  finder(
    [
      "kubectl ",
      "gcloud secrets versions access",
      "gcloud auth ",
      "argocd admin initial-password",
      "az account get-access-token",
      "az keyvault secret show",
      "aws ecr get-login-password",
      "aws secretsmanager get-secret-value",
      "wg gen",
      "op read",
      "pass show",
      "vault kv get",
      "heroku auth:token",
      "gh auth token",
    ],
    "secret",
    new RegExp(`(?:${PRINTING})\\r?\\n[ \\t]*([\\w+/=.~!@#%^*-]{8,4000})(?=\\s|$)`, "y"),
    true,
  ),
  finder(["secret value:"], "secret", /secret value:\s{0,3}(?:[….*]{1,3}\s)?(\S{8,400})/y, true),
];
