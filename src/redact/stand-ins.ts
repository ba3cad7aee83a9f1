import { isRegular, piecesOf } from "./randomness.ts";

/** The public key of a certificate or a DNS record, a time, a colour, and a word of a script without spaces. */
const PUBLIC =
  /^(?:MII[BC]IjANBgkqh|MIGfMA0GCSqGSIb3DQEBAQUAA4G|MFkwEwYHKoZIzj0|MHYwEAYHKoZIzj0|MCowBQYDK2V)|^\d{4}-\d\d-\d\d(?:[T_]\d\d[:-]?\d\d\S*)?$|^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$|^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef\s]+$/;

/** Words and symbols for a missing or removed secret. */
const NO_VALUE =
  /^(?:\[?redacted\b.*|\[[\w :.-]*\]?|\.{2,}.*|…|[*•#]{3,}.*|x{4,}.*|[_?-]{4,}.*|hunter2|null|nil|none|undefined|true|false|yes|no|on|off|\(?\d+(?:\.\d+)?\s?m?s\)?)$/i;

/** The type of a column in databases and their tools. */
const COLUMN_TYPE =
  /^(?:(?:n?var|bp)?char(?:acter varying)?2?|(?:var)?binary|string|text|decimal|numeric|(?:big|small|tiny|medium)?int(?:eger)?|enum|bit)\s?\([\w', ]{1,40}\)(?: (?:unsigned|not null|null))?$/i;

/** A version, and a package with a version, as in lock files and manifests. */
const PACKAGE =
  /^(?:(?:@?[\w./-]{1,80}@(?:npm:)?[\^~]?|[\w.-]{1,80}:)?v?\d+\.\d+\.\d+(?:[-+/=.][\w./+-]{0,60})?(?:@[0-9a-f]{40})?|(?:github|gitlab|bitbucket|gist|npm|workspace|git\+\w{3,5}):.*)$/;

/** A variable, a template or the location of a secret. */
const REFERENCE =
  /^(?:\$\{[^}]*\}?|\$\(.*|\$[A-Z_][A-Z0-9_]*|\$[a-z_]+\w*(?:->\w+|\[.*)?|\{\{.*|\{%.*|\{[A-Za-z_][\w.-]*(?:\([^{}]*\)|\[[^{}]*\])?\}|\{\w+\}|<[^<>]{1,80}>|<[\w -]+|%[A-Za-z_]\w*%|%\(\w+\)s|id=[\w.-]{1,60}|@\w+@|#\{.*|__\w+__|(?:vault|ref|file|op|awssm|gcpsm|ssm|secretsmanager|keyring|env|sops|ref\+\w+|bitwarden|keychain):.*|(?:ENC|AES256)[[(].*|&[a-z]\w*\.[A-Z]\w*(?:\{.*)?|arn:.*|projects\/.*|@Microsoft\..*|sha\d{1,3}[-:].*|md5:.*|!(?:vault|secret|env|ref|Ref|Sub)\b.*|\/(?:run|var|etc|proc|opt|home|usr|mnt|srv|tmp|data)\/.*|(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-\S+|sk-ssh-\S+)(?:\s.*)?|AAAA(?:B3NzaC1|C3NzaC1|E2VjZHNh).*)$/s;
const ROOTS =
  /^(?:process|import\.meta|os|sys|env|config|conf|cfg|settings|self|this|req|request|res|ctx|props|params|args|options|opts|secrets?|vars?|data|local|module|inputs|steps|github|matrix|context|credentials?|Deno|Bun|System|Environment|Rails|ENV|Configuration)(?:\??\.|\[|::)/i;

/** Parts of examples that never occur in random values. */
const EXAMPLE =
  /example|placeholder|dummy|rempla[cç]|ersetz|reempla[cz]|sostitu|substitu|vervang|zmie[nń]|change[_-]?me(?![-_][A-Z])|your[_-]|[_-]your|[_-]here\b|redacted|x{5,}|(?:^|[_-])x{3,}$|\*{4,}|\.{3}$|…|\$\{[A-Za-z_][\w.()]*\}|\{\{|\$\([a-z][^()]*\)/i;

/** Instructions for making a secret, and character ranges of a pattern. */
const RECIPE = /^generate|openssl|A-Z(?:a-z|0-9)|a-z(?:A-Z|0-9)|0-9(?:a-f|A-F|a-z|A-Z)|a-f(?:0-9|A-F)/;

/** Parts of a regular expression. */
const PATTERN = /\(\?[=!:<]|\[\^[^\]\n]+\][+*{?]|\\[dswDSW][+*{)\]]/;

/** Words of examples, labels, types and tests. A value of only such words is not a secret. */
const WORDS = new Set(
  `a abc access account add admin administrator all an and any api app application as at auth authentication authorization
  aws azure backend bad bar baz bearer bool boolean bot but by bytes cache cert changed changeit changeme check ci class
  cli client cloud code com common config confirm confirmation const context cookie correct create created credential
  credentials csrf current custom data database db dead decoded decrypt decrypted default delete demo dev development
  dialog different digest disabled does domain dummy email empty enabled encrypted encryption end enter entity env
  environment error example expired expect expected export external fake false fallback field file filled first fixture
  flow foo for forgot form format forgotten from frontend function generate generated get github gitlab global go google
  group guest handler has hash hashed header health helper here hidden hide home host https http id ids if in incorrect info
  initial input insert int integration internal invalid is issue issued it item its java json jwt keep key keys kind label
  last legacy length letmein link list live loaded loading local localhost log login logout long lower machine mail main
  manage manager map master max me message min minio minioadmin missing mismatch mock model must my mysql name namespace
  new next nextauth nil no node none not note null number oauth object of ok old on one only openai opaque optional or org
  other out owner page pages param parameter parse pass passed passphrase passwd password passwords passwort path
  placeholder please policy postgres postgresql prefix private prod production profile project prompt prop property
  provider public pw pwd query random raw read real redis ref refresh register reject remember remote remove repeat
  replace request required reset response result retry role root rotate route rsa rule same sample save schema scope
  secret secrets section secure send server service session set setup sha short show sign signature signed signin signup
  simple size some source spec ssh ssl stage staging stale start state static status stop storage store str string strong
  stripe stub submit suffix super sync system table temp template supersecret test tester topsecret testing tests text the this three time title
  tls tmp to todo token tokens top true two twitter type types ui unbound undefined unit unknown unset update updated upload url
  use used user username users uuid val valid validate validation validator value values var variable verify verified
  version via void was weak web webhook when with word worker write wrong www x xxx xyz yes ghp pk sk xoxb you your zod z v`.split(
    /\s+/,
  ),
);

/** Labels of password and key fields in other languages. */
const LABELS = new Set(
  `kennwort wachtwoord contraseña contrasenya contrasinal senha palavra-passe parola пароль пароли hasło lösenord losenord heslo
  salasana jelszó jelszo şifre sifre parolă geslo lozinka slaptažodis salasõna parool adgangskode passord aðgangsorð κωδικός
  zaporka лозинка парола סיסמה סיסמא पासवर्ड รหัสผ่าน 密码 密碼 口令 パスワード 暗証番号 비밀번호 암호 패스워드
  schlüssel zugangsschlüssel clé ключ токен секрет トークン シークレット 秘密鍵 令牌 密钥 密鑰 토큰 비밀키`.split(
    /\s+/,
  ),
);

/** Tells whether a word occurs in examples, labels, types and tests. */
export function isExampleWord(word: string): boolean {
  return WORDS.has(word.toLowerCase());
}

/** Tells whether a value consists only of example words, with small numbers between them. */
export function isWordsOnly(value: string): boolean {
  const pieces = piecesOf(value);
  return (
    pieces.some((piece) => !/^\d/.test(piece)) &&
    pieces.every((piece) => (/^\d/.test(piece) ? piece.length <= 4 : isExampleWord(piece)))
  );
}

/** Example words with a year and a symbol, as password policies encourage. */
const OF_YEAR = /^(?=.*[!#$%&*?@])(?:[A-Z][a-z]+[!#$%&*?@]?){2,5}(?:19|20)\d\d[!#$%&*?]?$/;
/** Minimum length of a counting run. Shorter ones such as `1234` or `abc` also occur in real passwords. */
const MIN_COUNTED = 6;

/** Tells whether a value counts up, as in `1234567890abcdef`, with at most example words beside that. */
function isCounted(value: string): boolean {
  const left = withoutCounted(value.toLowerCase());
  return left.length < value.length && (!/[a-z0-9]/.test(left) || isWordsOnly(left));
}

function withoutCounted(value: string): string {
  let left = "";
  let start = 0;
  for (let i = 1; i <= value.length; i++) {
    const step = value.charCodeAt(i) - value.charCodeAt(i - 1);
    if (step === 1 || (value[i] === "0" && value[i - 1] === "9")) continue;
    if (i - start < MIN_COUNTED) left += value.slice(start, i);
    else left += " ";
    start = i;
  }
  return left;
}

/** A run of many zeros, and the minimum of other letters and digits beside zeros in a possible secret. */
const ZEROS = /0{8,}/;
const MIN_BODY = 8;

/** Tells whether a value is zeros, with at most example words or a few letters and digits beside them. */
function isZeros(value: string): boolean {
  if (!ZEROS.test(value)) return false;
  const left = value.replace(/0{3,}/g, " ");
  return (left.match(/[A-Za-z0-9]/g) ?? []).length < MIN_BODY || isWordsOnly(left);
}

/** Tells whether a value is a variable, a template, or the location of a secret. */
export function isReference(value: string): boolean {
  return REFERENCE.test(value) || ROOTS.test(value);
}

/** Tells whether a value is a pattern for other values. */
export function isPattern(value: string): boolean {
  return PATTERN.test(value);
}

/** Tells whether a value is a placeholder for a secret, such as `<your-token>`, `$TOKEN`, `xxxx` or `test-key`. */
export function isStandIn(value: string): boolean {
  return (
    NO_VALUE.test(value) ||
    isReference(value) ||
    EXAMPLE.test(value) ||
    (value.includes("-") && RECIPE.test(value)) ||
    isPattern(value) ||
    isRegular(value) ||
    (isWordsOnly(value) && !OF_YEAR.test(value)) ||
    LABELS.has(value.toLowerCase()) ||
    isCounted(value) ||
    isZeros(value) ||
    PUBLIC.test(value) ||
    ((value.includes(":") || /\d\.\d/.test(value)) && PACKAGE.test(value)) ||
    COLUMN_TYPE.test(value)
  );
}
