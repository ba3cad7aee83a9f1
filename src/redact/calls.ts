import { continuedEnd } from "./assignments.ts";
import { isCode } from "./code.ts";
import { type Finder, finder, firstGroup, type Secret } from "./finder.ts";
import { isCamelPhrase, isPhrase } from "./made-up.ts";
import { PASSWORD } from "./names.ts";
import { looksRandom } from "./randomness.ts";
import { isStandIn } from "./stand-ins.ts";
import { isSecretValue, type Place } from "./values.ts";

const HEADER_VALUE =
  /\\{0,15}["'`]?\]?\s{0,3}(?:[:=,]|=>|:=)\s{0,3}\\{0,15}[bf]?["'`]?\s{0,2}(?:(?!Bearer\b)[A-Za-z][\w-]{1,24}\s{1,3}|Bearer\s{1,3})?(?:token=|Credential=|"|\\")?([\w.~+/=:%!-]{8,})/y;

/** The credential behind `Authorization`, whatever its scheme; `at` is where the word ends. */
export function headerSecret(text: string, at: number): Secret | null {
  HEADER_VALUE.lastIndex = at;
  const match = HEADER_VALUE.exec(text);
  const value = match?.[1];
  if (!match || value === undefined || isStandIn(value)) return null;
  if (!/\d|[+/=]/.test(value) && !looksRandom(value)) return null;
  const end = HEADER_VALUE.lastIndex;
  return { start: end - value.length, end: continuedEnd(text, end), kind: "authorization" };
}

const SCHEME =
  /(?:bearer|basic|token|apikey|api-key|ssws|digest|key)[ \t]{1,3}(?:["'`]\s{0,3}[+.&]\s{0,3})?\\{0,15}["']?([\w.~+/=:-]{16,})/iy;

/** The address of a contract of a blockchain, as `ERC20 token 0x…` names it. */
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** The credential after `Bearer` and similar words when no header names it. */
export function schemeSecret(text: string, at: number): Secret | null {
  SCHEME.lastIndex = at;
  const value = SCHEME.exec(text)?.[1];
  if (value === undefined || isStandIn(value) || isCode(value) || !looksRandom(value) || ADDRESS.test(value))
    return null;
  const end = SCHEME.lastIndex;
  return { start: end - value.length, end: continuedEnd(text, end), kind: "authorization" };
}

const TEXT = `\\\\{0,15}(?:"([^"\\n]{5,300}?)\\\\{0,15}"|'([^'\\n]{5,300}?)\\\\{0,15}')`;
const ARGUMENT = `(?:[^"'\\n()]{0,60}|\\{[^{}\\n]{0,120}\\}|\\\\{0,15}"[^"\\n]{0,120}"(?:\\.\\w{2,12}\\(\\))?|\\\\{0,15}'[^'\\n]{0,120}')`;

/** Returns the argument of a call that looks like a password. `at` is the start of the call's name. */
function argument(calls: readonly string[], from: number, to: number): Finder {
  const patterns = Array.from(
    { length: to - from + 1 },
    (_, i) =>
      new RegExp(
        `(?:new\\s)?[\\w.:>-]{2,40}[\\s=]{0,3}\\(\\s{0,20}(?:${ARGUMENT},\\s{0,20}){${from + i}}(?:[bBrR]|\\[\\]byte\\(|Some\\(|bytes\\.fromhex\\(|(?:binascii\\.)?unhexlify\\(|hex2bin\\(|atob\\(|Encoding\\.\\w{3,7}\\.GetBytes\\(|(?:base64\\.)?b64decode\\(|Buffer\\.from\\()?${TEXT}`,
        "y",
      ),
  );
  return { words: calls, find: (text, at) => firstOf(patterns, text, at, "statement") };
}

/** Returns the text after a word when it looks like a password. */
function text(words: readonly string[], rest: string, place: Place = "sentence"): Finder {
  const pattern = new RegExp(`(?:${words.map((word) => RegExp.escape(word)).join("|")})${rest}`, "y");
  return { words, find: (source, at) => firstOf([pattern], source, at, place) };
}

function firstOf(patterns: readonly RegExp[], source: string, at: number, place: Place): Secret | null {
  for (const pattern of patterns) {
    const found = firstGroup(source, at, pattern);
    if (!found) continue;
    const value = source.slice(found.start, found.end);
    if (isSecretValue(value, PASSWORD, place) || isPhrase(value) || isCamelPhrase(value))
      return { ...found, kind: "password" };
  }
  return null;
}

/** A field of a form by its name, and the call that types into it. */
const FIELD_NAMES = ["#pass", "Password", "password", "#pw", "passwd", "passphrase", "Passphrase"];

/** Calls that take a secret, with its place among the arguments, from 0: the first and the last that it may be. */
const CALLS: readonly (readonly [first: number, last: number, calls: string])[] = [
  [0, 1, "auth(|authenticate(|AUTH(|auth=(|auth = (|createHmac(|jwt.sign(|jwt.verify(|jwt.encode("],
  [0, 1, "jwt.decode(|hmac.new(|hmac.New(|HMAC.new(|authenticator.generate(|authenticator.check("],
  [0, 1, "totp.generate(|unsafePlainText(|.plainText("],
  [1, 1, "login(|logIn(|signIn(|sign_in(|BasicAuth(|NetworkCredential(|SetBasicAuth(|basicAuth("],
  [1, 1, "basic_auth(|cx_Oracle.connect(|oracledb.connect(|changeUserPassword(|sasl_plain("],
  [1, 1, "Credentials.basic(|BasicAWSCredentials(|NewStaticCredentials(|NewStaticCredentialsProvider("],
  [1, 1, "NewStaticV4(|NewStaticV2(|redentials.new(|redentials.create(|.credentials(|OAuthHandler("],
  [1, 1, "OAuth1(|OAuth1Session(|oci_connect(|simple_bind_s(|simple_bind(|loginAs(|login_user("],
  [1, 1, "PasswordAuthentication(|nats.UserInfo(|pbkdf2_hmac(|signWith(|HMAC.hexdigest(|HMAC.digest("],
  [1, 1, "redentials::new(|new Twilio(|HTTPBasicAuth(|HTTPDigestAuth(|HttpBasicAuth("],
  [1, 1, "UsernamePasswordCredentials(|WiFi.begin(|createCipheriv(|createDecipheriv(|algoliasearch("],
  [1, 1, "AES.encrypt(|AES.decrypt(|username_pw_set("],
  [2, 2, "ftp_login(|auth_password(|ldap_bind(|imap_open(|odbc_connect(|new Redis(|Minio("],
  [2, 2, "keyring.set_password(|ldap3.Connection(|create_user(|create_superuser(|PlainAuth(|hash_hmac("],
  [2, 2, "openssl_encrypt(|openssl_decrypt(|minio.New(|PDO(|Sequelize(|pymssql.connect(|pgconnect("],
  [2, 2, "getConnection(|mysqli(|mysqli_connect(|mysql_connect(|pymysql.connect(|MySQLdb.connect("],
  [2, 2, "->connect(|->connect_cached("],
  [3, 3, "client.connect(|ssh.connect(|conn.connect(|StrictRedis(|NewDialer("],
  [3, 4, "mysql_real_connect(|SMTP.start("],
  [0, 0, "GenerateFromPassword(|SignedString(|HMAC256(|HMAC384(|HMAC512(|hmacShaKeyFor("],
  [0, 0, "SymmetricSecurityKey(|SecretString::new(|Fernet(|cookieParser(|TOTP(|Wallet(|AES.new("],
  [0, 0, "SecretKeySpec(|set_password(|setPassword(|check_password(|make_password(|hashPassword("],
  [0, 0, "hash_password(|bcrypt.hash(|bcrypt.hashSync(|bcrypt.hashpw(|bcrypt.compare(|argon2.hash("],
  [0, 0, "hashSync(|HashPassword(|password_hash(|password_verify(|pwd_context.hash("],
  [0, 0, "pwd_context.verify(|Password.create(|scryptSync(|pbkdf2Sync(|scrypt(|PBKDF2(|PBKDF2HMAC("],
  [1, 3, "Credentials(|UserPassword(|ePassword(|set_user_password("],
  [4, 4, "JedisPool("],
];

/** Calls that take a secret at a fixed position, and fields of forms. */
export const CALL_FINDERS: readonly Finder[] = [
  ...CALLS.map(([first, last, calls]) => argument(calls.split("|"), first, last)),
  // Clients of services, whose key is the first argument, or the second behind an address.
  finder(
    [
      "OpenAI(",
      "Stripe(",
      "Resend(",
      "Anthropic(",
      "Octokit(",
      "WebClient(",
      "createClient(",
      "create_client(",
    ],
    "api-key",
    /\w{5,14}\(\s{0,4}(?:[\w.]{2,40},\s{0,4}|["'][^"'\n]{4,120}["'],\s{0,4})?["'](?!pk_|publishable)([\w.-]{24,400})["']/y,
    true,
  ),
  // Keys of wallets.
  finder(
    ["privateKeyToAccount(", "new Wallet("],
    "private-key",
    /[\w ]{10,20}\(\s{0,4}["'](?:0x)?([0-9a-fA-F]{64})["']/y,
  ),
  finder(
    ["bs58.decode(", "base58.b58decode("],
    "private-key",
    /[\w.]{11,16}\(["']([1-9A-HJ-NP-Za-km-z]{80,90})["']/y,
  ),
  // What is encoded for a header.
  finder(
    ["btoa(", "b64encode(", "base64_encode(", "encode64("],
    "password",
    /\w{4,13}\((?:b|Buffer\.from\()?["'`][\w.@+-]{1,60}:(?=[^"'\n]*\d)([^"'`$\n/]{6,200})["'`]/y,
  ),
  // A pair that is put into the pattern of an address.
  finder(
    ["%s:%s@"],
    "password",
    /%s:%s@[^\n"']{1,100}["']\s?[%,]\s?\(?\s?["'][^"'\n]{1,60}["'],\s{0,4}["']([^"'\n]{5,200})["']/y,
  ),
  finder(
    ["omniauth :", "provider :"],
    "secret",
    /\w{8} :\w{1,40},\s{0,8}(?:["'][^"'\n]{1,120}["']|[\w.[\]]{1,60}),\s{0,8}["']([^"'\n]{12,200})["']/y,
    true,
  ),
  finder(
    [".cookie(", "etCookie(", "et_cookie("],
    "cookie",
    /[\w.]{1,12}\(\s{0,4}["'][\w.:-]{1,80}["']\s{0,4},\s{0,4}["']((?=[^"'\n]{0,300}?[A-Za-z0-9]{16})[^"'\n]{20,4000})["']/y,
    true,
  ),
  // PHP's own notation.
  text(['";s:'], `(?<=(?:pass|password|passwd|pwd|secret|token|key)";s:)\\d{1,6}:${TEXT}`, "statement"),
  text(["ConvertTo-SecureString "], `(?:-String\\s+)?${TEXT}`, "quoted"),
  text(
    FIELD_NAMES,
    `[\\w-]{0,20}\\\\{0,15}["']?\\]?\\\\{0,15}["']?(?:,\\s{0,4}(?:with:\\s)?|\\)\\s{0,4}\\.(?:fill|type|send_keys|sendKeys|clear_and_type|setValue|set_value|pressSequentially)\\(\\s{0,4})${TEXT}`,
  ),
  text(FIELD_NAMES, `\\s[^<>\\n]{1,120}>\\s{0,20}([^\\s<>]{5,200})(?=\\s{0,20}</)`),
  text(
    ['name="password', 'name="passwd', 'name="pass', 'name="pwd'],
    `\\w{0,12}"(?:\\r?\\n){2}([^\\r\\n]{5,200})`,
  ),
  text(
    [
      "ogin is ",
      "ogin ist ",
      "dentifiants : ",
      "dentifiants: ",
      "redenciales: ",
      "redenziali: ",
      "ugang: ",
      "og in as ",
      "og in with ",
      "ogin as ",
      "ogged in as ",
      "ign in as ",
      "reds are ",
      "redentials are ",
      "ogin: ",
      "redentials: ",
      "reds: ",
      "ugangsdaten: ",
    ],
    `\\s{0,3}(?:\\w{1,8}:\\s)?[\\w.@+-]{2,60}(?:\\s?/\\s?|:|\\s+(?:with|and|mit|avec|con|pw|pass|using)\\s+(?:(?:the )?password\\s+)?|[ \\t]+(?=\\S{0,60}\\d)(?=\\S{0,60}[A-Z]))([^\\s"'\`,;]{6,64})`,
    "statement",
  ),
  // Lines of Postfix's sasl_passwd.
  text(["]:2", "]:4", "]:5"], `\\d{1,4}[ \\t]{1,20}[^\\s:]{1,80}:(\\S{5,200})`),
  text(["LOGIN "], `\\s{0,2}"?[^\\s"]{2,80}"?\\s{1,3}"?([^\\s"]{6,200})`, "statement"),
];
