/** Secrets that tell by their name or place: in assignments, flags, headers and addresses. */

const CREDENTIAL_NAME =
  /(?:password|passwd|passphrase|pwd|secret|token|credentials?|(?:api|access|account|private|secret|auth|encryption|signing|master|service_role|webhook)[_-]?key|_auth)(?:_?\d{1,2})?$/i;
/** The name that ends where the mark is, behind its closing quote and blanks. */
const NAME_BEFORE = /[\w.-]+(?=\\?["'`]?\s{0,3}$)/;
/** How far before a mark its name may start. */
const NAME_CHARS = 90;
/** The mark and the blanks after it, then the value: in quotes (escaped, as in JSON in JSON), or up to the next blank. */
const VALUE =
  /(?<mark>:=|=>|=(?!=)|:(?!:))(?<blank>[ \t]{0,3}|\s{0,2})(?:(?<quote>\\?["'`])(?<quoted>(?:(?!\k<quote>)[^\n\\]){1,400})\k<quote>|(?<bare>[^\s"'`,;\\&|()[\]{}<>]{1,400}))/y;

/** A credential that a word announces: `before` is kept, what `secret` matches right behind it is replaced. */
interface Announced {
  kind: string;
  /** One of these must be in the text, in any case. */
  words: RegExp;
  pattern: RegExp;
}

const ANNOUNCED: readonly Announced[] = [
  {
    kind: "authorization",
    words: /authorization/i,
    pattern:
      /(?<before>authorization\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?(?:bearer|basic|token|apikey|digest)\s{1,3})(?<secret>[\w.~+/=:-]{8,})/gi,
  },
  {
    kind: "authorization",
    words: /bearer\s/i,
    pattern: /(?<before>\bbearer\s{1,3})(?<secret>(?=[\w.~+/-]{0,40}\d)[\w.~+/-]{20,}=*)/gi,
  },
  {
    kind: "api-key",
    words: /x-|api-key|private-token/i,
    pattern:
      /(?<before>\b(?:api-key|private-token|x-[\w-]{0,30}(?:token|key))\\?["']?\s{0,3}:\s{0,3}\\?["']?)(?<secret>[\w.~+/=-]{12,})/gi,
  },
  {
    kind: "password",
    words: /:\/\//,
    pattern: /(?<before>:\/\/[^\s:/?#@"'`<>]{0,100}:)(?<secret>(?![$<{%*])[^\s/@"'`<>]{1,200})(?=@[\w[.-])/g,
  },
  {
    kind: "password",
    words: /\bcurl\s/,
    pattern:
      /(?<before>\bcurl(?=\s)[^\n|;]{0,300}?\s(?:-u|--user)\s{0,3}["']?[\w.@+-]{1,80}:)(?<secret>(?![$<{])[^\s"']{4,})/g,
  },
  {
    kind: "password",
    words: /\blogin\s/,
    pattern: /(?<before>\blogin\s{1,3}\S{1,100}\s{1,3}password\s{1,3})(?<secret>[^\s"']{4,})/g,
  },
  {
    kind: "password",
    words: /\bsshpass\s/,
    pattern: /(?<before>\bsshpass\s{1,3}-p\s{0,2}["']?)(?<secret>(?!\$)[^\s"']{4,})/g,
  },
  {
    kind: "password",
    words: / --?[a-z-]{0,30}(?:passw|pass\b|token|secret|key)/i,
    pattern:
      /(?<before>\s--?(?:[a-z]{1,15}-){0,3}(?:password|passwd|pass|token|secret|api-?key|access-?key)(?:\s{1,3}|=)["']?)(?<secret>(?![-$<{"'\s])(?=[^\s"'`;|&]{0,60}\d)[^\s"'`;|&]{6,400})/gi,
  },
];

/** Values that stand for one, or say where it comes from. */
const STAND_IN =
  /^(?:\[redacted:|[$<{%*#]|\.{3}|x{3,}|your[_-]|my[_-]?(?:password|secret|token|key)$|example|change[_-]?me|placeholder|dummy|todo|none$|null$|undefined$|true$|false$|string$|number$|boolean$|required$|optional$|process\.|os\.|env[.[(]|import\.|config\.|settings\.|self\.|this\.|req\.|secrets?\.|vault:|ref:|file:|arn:|projects\/)/i;
/** Names that end like a secret's and are none. */
const OTHER_NAME =
  /(?:^|[_.-]|[a-z](?=[A-Z]))(?:next|page|continuation|sync|cancel|cancellation|start|end|reserved|special|pad|eos|bos|unk|sep|mask|cls|num|reset|forgot|confirm|show|hide|has|is)[_-]?(?:token|password|secret)$/i;
const ENV_NAME = /^[A-Z][A-Z0-9_]*$/;

/** Returns the text without credentials that a word announces: headers, flags, addresses with a password. */
export function redactAnnounced(text: string): string {
  let result = text;
  for (const { kind, words, pattern } of ANNOUNCED) {
    if (!words.test(result)) continue;
    result = result.replace(pattern, (whole: string, before: string, secret: string) =>
      STAND_IN.test(secret) ? whole : `${before}[redacted:${kind}]`,
    );
  }
  return result;
}

/** Returns the text without the values that are assigned to credentials' names at `marks`; names and marks stay. */
export function redactAssignments(text: string, marks: readonly number[]): string {
  let result = "";
  let done = 0;
  for (const mark of marks) {
    if (mark < done) continue;
    const name = NAME_BEFORE.exec(text.slice(Math.max(done, mark - NAME_CHARS), mark))?.[0];
    if (name === undefined || !CREDENTIAL_NAME.test(name)) continue;
    VALUE.lastIndex = mark;
    const found = VALUE.exec(text)?.groups;
    if (!found || !isCredential(name, found)) continue;
    const { mark: sign = "", blank = "", quote = "", quoted, bare = "" } = found;
    result += `${text.slice(done, mark)}${sign}${blank}${quote}[redacted:${kindOf(name)}]${quote}`;
    done = mark + sign.length + blank.length + 2 * quote.length + (quoted ?? bare).length;
  }
  return done === 0 ? text : result + text.slice(done);
}

function isCredential(name: string, { mark, quoted, bare }: Record<string, string | undefined>): boolean {
  if (OTHER_NAME.test(name)) return false;
  const isEnvironment = ENV_NAME.test(name) && (mark !== ":" || quoted !== undefined);
  return isSecret(quoted ?? bare ?? "", isEnvironment);
}

function kindOf(name: string): string {
  const lower = name.toLowerCase();
  if (/key_?\d*$/.test(lower)) return "api-key";
  if (/(?:token|_auth)_?\d*$/.test(lower)) return "token";
  return /(?:secret|credentials?)_?\d*$/.test(lower) ? "secret" : "password";
}

/**
 * Whether a value can be a secret: of an environment variable any word that is no number, path or stand-in; elsewhere
 * only one with letters and digits or signs in it, since code has names and types in that place.
 */
function isSecret(value: string, isEnvironment: boolean): boolean {
  if (value.length < 6 || STAND_IN.test(value) || /^[\d.,]+$/.test(value)) return false;
  if (/[\s()]/.test(value) || value.includes("://")) return false;
  if (/^(?:\.{0,2}|~)\/[\w.-]+(?:\/[\w.-]*)*$/.test(value)) return false;
  if (isEnvironment) return true;
  if (/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value)) return false;
  return /[A-Za-z]/.test(value) && /[\d!@#%^*+/=]/.test(value);
}
