import { continuedEnd } from "./assignments.ts";
import { type Finder, found, isRandom, type Secret, type Test } from "./finder.ts";
import { looksRandom } from "./randomness.ts";
import { standing } from "./rules.ts";
import { isStandIn } from "./stand-ins.ts";

const HEADER_VALUE =
  /\\{0,15}["'`]?\]?\s{0,3}(?:[:=,]|=>|:=)\s{0,3}\\{0,15}[bf]?["'`]?\s{0,2}(?:(?!Bearer\b)[A-Za-z][\w-]{1,24}\s{1,3}|Bearer\s{1,3})?(?:token=|Credential=|"|\\")?([\w.~+/=:%!-]{8,})/y;

/** Returns the credential after `Authorization`, with any scheme; `at` is the end of that word. */
function headerSecret(text: string, at: number): Secret | null {
  return authorization(
    text,
    at,
    HEADER_VALUE,
    (value) => !isStandIn(value) && (/\d|[+/=]/.test(value) || looksRandom(value)),
  );
}

const SCHEME =
  /(?:bearer|basic|token|apikey|api-key|ssws|digest|key)[ \t]{1,3}(?:["'`]\s{0,3}[+.&]\s{0,3})?\\{0,15}["']?([\w.~+/=:-]{16,})/iy;

/** The address of a blockchain contract, as in `ERC20 token 0x…`. */
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Returns the credential after `Bearer` and similar words without a header's name. */
function schemeSecret(text: string, at: number): Secret | null {
  return authorization(text, at, SCHEME, (value) => isRandom(value, "") && !ADDRESS.test(value));
}

function authorization(text: string, at: number, pattern: RegExp, test: Test): Secret | null {
  const secret = found(text, at, pattern, "authorization", test);
  return secret && { ...secret, end: continuedEnd(text, secret.end) };
}

const TEXT = `\\\\{0,15}(?:"([^"\\n]{5,300}?)\\\\{0,15}"|'([^'\\n]{5,300}?)\\\\{0,15}')`;
const ARGUMENT = `(?:[^"'\\n()]{0,60}|\\{[^{}\\n]{0,120}\\}|\\\\{0,15}"[^"\\n]{0,120}"(?:\\.\\w{2,12}\\(\\))?|\\\\{0,15}'[^'\\n]{0,120}')`;

/** Returns a finder for the argument of a call that looks like a password. `at` is the start of the call's name. */
function argument(calls: readonly string[], from: number, to: number): Finder {
  const patterns = Array.from(
    { length: to - from + 1 },
    (_, i) =>
      new RegExp(
        `(?:new\\s)?[\\w.:>-]{2,40}[\\s=]{0,3}\\(\\s{0,20}(?:${ARGUMENT},\\s{0,20}){${from + i}}(?:[bBrR]|\\[\\]byte\\(|Some\\(|bytes\\.fromhex\\(|(?:binascii\\.)?unhexlify\\(|hex2bin\\(|atob\\(|Encoding\\.\\w{3,7}\\.GetBytes\\(|(?:base64\\.)?b64decode\\(|Buffer\\.from\\()?${TEXT}`,
        "y",
      ),
  );
  return {
    words: calls,
    find: (text, at) => {
      for (const pattern of patterns) {
        const secret = standing(text, at, pattern, "statement") ?? oddOne(text, at, pattern);
        if (secret) return secret;
      }
      return null;
    },
  };
}

/** Returns an argument with a character that names do not contain, or a digit among capitals. */
function oddOne(text: string, at: number, pattern: RegExp): Secret | null {
  const secret = standing(text, at, pattern, "quoted");
  const value = secret === null ? "" : text.slice(secret.start, secret.end);
  return /[A-Z]\d[A-Z]{3}|\d.*[^\w-]|[^\w-].*\d/.test(value) ? secret : null;
}

/** Calls that take a secret, with the first and the last zero-based position of its argument. */
const CALLS: readonly (readonly [first: number, last: number, calls: string])[] = [
  [0, 1, "auth(|authenticate(|AUTH(|auth=(|auth = (|createHmac(|jwt.sign(|jwt.verify(|jwt.encode("],
  [0, 1, "jwt.decode(|hmac.new(|hmac.New(|HMAC.new(|authenticator.generate(|authenticator.check("],
  [0, 1, "totp.generate(|unsafePlainText(|.plainText("],
  [
    1,
    1,
    "login(|Login(|LogIn(|logIn(|signIn(|SignIn(|sign_in(|BasicAuth(|NetworkCredential(|SetBasicAuth(|basicAuth(",
  ],
  [1, 1, "Credentials.basic(|BasicAWSCredentials(|NewStaticCredentials(|NewStaticCredentialsProvider("],
  [1, 1, "OAuth1(|OAuth1Session(|oci_connect(|simple_bind_s(|simple_bind(|loginAs(|login_user("],
  [1, 1, "PasswordAuthentication(|nats.UserInfo(|pbkdf2_hmac(|signWith(|HMAC.hexdigest(|HMAC.digest("],
  [1, 1, "redentials::new(|new Twilio(|HTTPBasicAuth(|HTTPDigestAuth(|HttpBasicAuth("],
  [1, 1, "UsernamePasswordCredentials(|WiFi.begin(|createCipheriv(|createDecipheriv(|algoliasearch("],
  [1, 1, "AES.encrypt(|AES.decrypt(|username_pw_set(|set_wallet(|auth_basic(|ks.load(|eyStore.load("],
  [
    2,
    2,
    "FTP(|FTP.open(|FTP_TLS(|ftp_login(|auth_password(|ldap_bind(|imap_open(|odbc_connect(|new Redis(|Minio(",
  ],
  [
    2,
    2,
    "database(|keyring.set_password(|FtpSetUser(|ldap3.Connection(|create_user(|create_superuser(|PlainAuth(|hash_hmac(",
  ],
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

/** Finders for credentials in headers, and for calls that take a secret at a fixed position. */
export const CALL_FINDERS: readonly Finder[] = [
  ...CALLS.map(([first, last, calls]) => argument(calls.split("|"), first, last)),
  {
    words: ["authorization", "Authorization", "AUTHORIZATION"],
    find: (text, at) => headerSecret(text, at + "authorization".length),
  },
  {
    words: ["bearer ", "Bearer ", "BEARER ", "Basic ", "basic ", "token ", "Token ", "SSWS ", "ApiKey "],
    startsWord: true,
    find: schemeSecret,
  },
];
