import { type Finder, finder, firstGroup, type Secret } from "./finder.ts";
import { isTelling } from "./generated.ts";
import { isMadeUp } from "./made-up.ts";
import { looksMixed, looksRandom } from "./randomness.ts";
import { isStandIn } from "./stand-ins.ts";

const HASHED = /["']([^"'\n]{4,200})["']\s{0,3}\|\s{0,3}$/;

/** A value before a template's filter that hashes or encodes it. */
function hashedBefore(text: string, at: number): Secret | null {
  const before = text.slice(Math.max(0, at - 220), at);
  const value = HASHED.exec(before);
  if (value?.[1] === undefined || isStandIn(value[1])) return null;
  const start = at - before.length + value.index + 1;
  return { start, end: start + value[1].length, kind: "password" };
}

const LIST_BEFORE =
  /\[\s{0,20}((?:["'`][\w.-]{1,200}["'`]\s{0,4},\s{0,20}){1,20}["'`][\w.-]{1,200}["'`]),?\s{0,20}\]$/;

/** The pieces of a token that code joins: `["xoxb", "…"].join("-")`. */
function joinedList(text: string, at: number): Secret | null {
  const list = LIST_BEFORE.exec(text.slice(Math.max(0, at - 1_000), at))?.[1];
  if (list === undefined) return null;
  const longest = (list.match(/[\w.-]+/g) ?? []).reduce((a, b) => (b.length > a.length ? b : a), "");
  if (longest.length < 16 || !looksMixed(longest) || isStandIn(longest)) return null;
  const start = text.lastIndexOf(list, at);
  return { start: start + 1, end: start + list.length - 1, kind: "token" };
}

const VAULTED =
  /vault_(?!addr|url|path|role|mount|version|namespace|file|host|port|user|id|name|image|tag)[a-z0-9_]{2,60}:[ \t]{1,4}["']?([^\s"'{}]{6,300})["']?[ \t]*(?=\r?\n|$)/y;

/** The data of a secret of Kubernetes as it was written; values that are no secret may precede one. */
const PLAIN_DATA =
  /stringData:[ \t]*\n(?:[ \t]+[\w.-]{1,80}:(?![^\n]{0,40}\d)[^\n]{0,400}\n|[ \t]+[\w.-]{1,80}:[ \t]+["']?(?:\[redacted|\d+["']?\n|[a-z]+:\/\/)[^\n]{0,400}\n){0,20}[ \t]+(?!\w*(?:name|user|host|url|id):)[\w.-]{1,80}:[ \t]+["']?([^\s"']{7,100})/y;

/** Secrets whose name follows or surrounds them. */
export const PAIR_FINDERS: readonly Finder[] = [
  {
    words: ["password_hash(", "b64decode", "base64decode", "b64dec", "b64encode", "b64enc"],
    find: hashedBefore,
  },
  finder(
    ["env::var("],
    "secret",
    /env::var\(\s{0,4}"(?=[A-Z0-9_]{0,60}(?:PASS|PASSWORD|PWD|PW|SECRET|TOKEN|KEY)")[A-Z0-9_]{1,80}"\)[^;\n]{0,80}?unwrap_or(?:_else)?\((?:\|\w{0,10}\|\s{0,4})?"([^"\n]{5,300})"/y,
  ),
  finder(
    ["chpasswd:"],
    "password",
    /chpasswd:[ \t]*\r?\n(?:[^\n]*\n){0,2}?[ \t]*list:[^\n]*\n(?:[ \t-]*[\w.-]{1,40}:\[redacted:password\]\r?\n)*[ \t-]*[\w.-]{1,40}:([^\s"']{5,200})/y,
  ),
  // The new value in the plan of a change, and the rest of a value whose pieces code joins.
  finder(
    ["[redacted:"],
    "secret",
    /\[redacted:[\w-]{1,20}\]\\{0,15}"\s{0,4}(?:->|replace)\s{0,4}\\{0,15}"([^"\n]{5,300}?)\\{0,15}"/iy,
  ),
  finder(
    ["[redacted:"],
    "secret",
    /\[redacted:[\w-]{1,20}\]["'`]\s{0,4}(?:\+|\.\.?|&|<>|\|\||~)\s{0,24}["'`]([\w+/=-]{8,200})["'`]/y,
    true,
  ),
  finder(
    ["::set-output name=", "::save-state name="],
    "secret",
    /::(?:set-output|save-state) name=[\w-]{0,40}(?:token|secret|pass|pw|password|key)::([^\s"'`$]{6,400})/iy,
  ),
  finder(
    ["chpasswd:"],
    "password",
    /chpasswd:[ \t]*\{[^\n}]{0,40}?list:\s{0,4}["']?[\w.-]{1,40}:([^\s"',}\\]{5,200})/y,
  ),
  finder(
    ["accounts"],
    "private-key",
    /accounts["']?\s{0,4}[:=]\s{0,4}\[\s{0,20}["'](?:0x)?([0-9a-fA-F]{64})["']/y,
  ),
  // The other values of a list.
  finder(
    ["[redacted:"],
    "secret",
    /(?<=\[\s{0,20}["'])\[redacted:[\w-]{1,20}\]["']\s{0,4},\s{0,20}["']([^"'\n[]{8,300}(?:["']\s{0,4},\s{0,20}["'][^"'\n[]{8,300}){0,50})["']/y,
    true,
  ),
  finder(
    ["[redacted:"],
    "secret",
    /\[redacted:(?:api-key|secret|token)\],([\w+/=-]{20,300}(?:,[\w+/=-]{20,300}){0,20})(?![\w,])/y,
    true,
  ),
  // The rest of a string that goes on behind a backslash.
  finder(
    ["[redacted:"],
    "secret",
    /\[redacted:[\w-]{1,20}\]["']\s{0,4}\\\r?\n\s{0,40}["']([^"'\n[]{4,300})["']/y,
  ),
  finder(
    ["[redacted:"],
    "secret",
    /\[redacted:(?:api-key|secret|token)\]["']?[ \t]*\r?\n[ \t]{0,40}- ["']?((?=[^\s"']{0,40}\d)[\w+/=.-]{16,400})["']?(?=[ \t]*(?:\r?\n|$))/y,
    true,
  ),
  // The argument behind one that was taken out, as the secret key behind its id.
  finder(
    ["[redacted:"],
    "secret",
    /(?<=[(,]\s{0,20}["'])\[redacted:[\w-]{1,20}\]["']\s{0,4},\s{0,20}["']((?=[^"'\n]{0,30}\d)[\w+/=~.-]{16,300})["']/y,
    true,
  ),
  // The default of a parameter, as CloudFormation and OpenAPI have it.
  finder(
    ["Default:", "default:", 'Default":', 'default":', "example:", 'example":'],
    "secret",
    /(?<=(?:pass|password|passwd|secret|token|api_?key)["']?:\s{0,4}(?:\{\s{0,40}|\n\s{1,40})(?:["']?\w{1,30}["']?:[^\n{}]{1,100}(?:,\s{0,20}|\n\s{1,40})){0,5}["']?)(?:default|example)["']?:[ \t]{0,4}["']?([^\s"',}]{6,300})/iy,
    true,
  ),
  // The password that terraform made, in its state.
  finder(
    ['"result"'],
    "password",
    /"result"\s{0,4}:\s{0,4}"([^"\n]{8,200})"(?=[^{}]{0,300}"special"|[^{}]{0,300}"upper")/y,
  ),
  // What a console prints for a stored token.
  finder(
    ["getItem(", "Cookies.get(", "os.environ"],
    "token",
    /(?:getItem\(|Cookies\.get\(|os\.environ)[[.]?["']?[\w.:-]{0,40}(?:token|jwt|auth|access|refresh|session|secret|key|pass|password)[\w.:-]{0,10}["']?[\])]?;?[ \t]*\r?\n[ \t<·]{0,8}["']([^"'\n]{8,4000})["']/iy,
    true,
  ),
  finder(
    ["ftp -", "lftp "],
    "password",
    /l?ftp\s[^\n]{0,100}<<-?\s?["']?\w{1,20}["']?\n(?:[^\n]{0,80}\n){0,3}?\s{0,20}(?:quote )?user\s{1,20}\S{1,60}\s{1,20}(\S{5,100})/y,
  ),
  finder(
    ["ParameterValue"],
    "secret",
    /(?<=ParameterKey["']?\s{0,4}[:=]\s{0,4}["']?[\w.-]{0,60}(?:pass(?:word)?|secret|token|key)["']?[,\s][^\n]{0,60}\n?[\s,"']{0,20})ParameterValue["']?\s{0,4}[:=]\s{0,4}["']?([^\s"',}]{5,300})/iy,
  ),
  finder(
    ["random_password"],
    "password",
    /random_password[^}]{0,300}?\bresult\s{0,20}=\s{0,4}"([^"\n]{5,200})"/y,
  ),
  finder(
    ['"github-oauth"', '"gitlab-token"', '"bearer"'],
    "token",
    /"(?:github-oauth|gitlab-token|bearer)"\s{0,4}:\s{0,4}\{\s{0,20}"[^"\n]{1,100}"\s{0,4}:\s{0,4}"([^"\n]{16,300})"/y,
  ),
  finder(
    ["Unseal Key", "Recovery Key"],
    "vault-key",
    /(?:Unseal|Recovery) Key \d{1,2}:\s{1,4}([\w+/=]{32,200})/y,
  ),
  // ODBC has a value with special characters in braces.
  finder(
    ["PWD={", "Pwd={", "pwd={", "Password={", "PASSWORD={"],
    "password",
    /(?:pwd|password)=\{([^{}\n]{6,200})\}(?=[;"'\s]|$)/iy,
    true,
  ),
  // A brace in such a value is written twice.
  finder(
    ["PWD={", "Pwd={", "pwd={", "Password={", "PASSWORD={"],
    "password",
    /(?:pwd|password)=\{((?=[^{}\n]{0,200}\}\})(?=[^\n]{0,200}?\d)(?:[^{}\n]|\{|\}\}){5,200})\}(?=[;"'\s]|$)/iy,
  ),
  finder(
    ["SecureString"],
    "secret",
    /SecureString(?:"[^{}]{0,100}?"Value"\s{0,4}:\s{0,4}"([^"\n]{5,4000})"|(?:[ \t]*\|[ \t]*|\t)([^\s|]{5,4000}))/y,
  ),
  { words: [".join("], find: joinedList },
  // What Ansible keeps in its vault starts with that word.
  {
    words: ["vault_"],
    find: (text, at) => {
      const place = firstGroup(text, at, VAULTED);
      const value = place ? text.slice(place.start, place.end) : "";
      const isLikely = isMadeUp(value) || (looksRandom(value) && /\d/.test(value));
      return place && isLikely && !isStandIn(value) ? { ...place, kind: "secret" } : null;
    },
  },
  // A user with a password.
  finder(
    ["BASIC_AUTH", "BASICAUTH", "HTTP_AUTH", "CURLOPT_USERPWD", "basicauth.users", "basic_auth="],
    "password",
    /[\w.]{8,40}["']?(?:\s{0,3}[=:,]\s{0,3}|=)["']?[\w.@-]{1,60}:(?!\/)([^\s"',:]{5,200})/iy,
  ),
  // Defaults and characters that other languages wrap differently.
  finder(
    ["ENV.fetch("],
    "secret",
    /ENV\.fetch\(["'][A-Z0-9_]{0,40}(?:PASS|PASSWORD|PWD|SECRET|TOKEN|KEY)["']\)\s?(?:\{|do)\s{0,4}["']([^"'\n]{5,300})["']/y,
  ),
  finder(
    ["KeyStore", "keyStore", "keystore"],
    "password",
    /key[sS]tore[^\n"]{0,60}\([^\n"]{0,60}"([^"\n]{5,100})"\.toCharArray\(/iy,
  ),
  finder(
    ["printf '", 'printf "'],
    "password",
    /printf ['"][A-Z_]{0,30}(?:PASS|PASSWORD|PWD|SECRET|TOKEN)=%s(?:\\n|\n)?['"] \$?['"]?([^\s"']{5,200})/y,
  ),
  finder(["appid="], "api-key", /(?<=[?&])appid=([0-9a-f]{32})(?!\w)/y),
  finder(
    ["npmAuthIdent"],
    "password",
    /npmAuthIdent["']?\s{0,4}[:=]\s{0,4}["']?([\w.@-]{1,60}:[^\s"']{5,200}|[\w+/=]{16,200})/y,
  ),
  finder(
    ["BUNDLE_"],
    "password",
    /BUNDLE_[A-Z0-9_]{1,100}__[A-Z]{2,20}["']?\s{0,4}[:=]\s{0,4}["']?([\w.@-]{1,60}:[^\s"'/]{5,200})/y,
  ),
  finder(["::add-mask::", "##[add-mask]"], "secret", /(?:::add-mask::|##\[add-mask\])([^\s"'`$)]{5,300})/y),
  // A parameter of Bicep has its type between its name and its value.
  finder(
    ["@secure()"],
    "secret",
    /@secure\(\)\s{1,20}(?:@\w{1,30}\([^\n]{0,200}\)\s{1,20}){0,5}param\s{1,4}\w{1,80}\s{1,4}string\s{0,4}=\s{0,4}'([^'\n]{5,300})'/y,
  ),
  // String literals side by side in brackets are one string.
  finder(
    ["[redacted:"],
    "secret",
    /(?<=\(\s{0,40}["'])\[redacted:[\w-]{1,20}\]["']\s{1,40}[bfru]?["']([^"'\n[]{4,300}(?:["']\s{1,40}[bfru]?["'][^"'\n[]{1,300}){0,20})["']/y,
  ),
  // The data of a secret of Kubernetes is encoded.
  finder(
    ["kind: Secret"],
    "secret",
    /kind: Secret\s(?:(?!---)[^\n]{0,200}\n){0,20}?data:[ \t]*\n(?:[ \t]+[\w.-]{1,80}:[^\n]{0,400}\n){0,20}?[ \t]+[\w.-]{1,80}:[ \t]+["']?((?:[A-Za-z0-9+/]{4}){3,1000}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)(?=["']?\s|$)/y,
  ),
  {
    words: ["stringData:"],
    find: (text, at) => {
      const place = firstGroup(text, at, PLAIN_DATA);
      return place && isTelling(text.slice(place.start, place.end)) ? { ...place, kind: "secret" } : null;
    },
  },
  finder(
    ["setvariable variable="],
    "secret",
    /setvariable variable=[\w.-]{0,40}(?:pass|password|pwd?|secret|token|key)(?:;[^\]\n]{0,60})?\]([^\s"'`$]{5,300})/iy,
  ),
  finder(
    ["password(name", "password(defaultValue", "password(description"],
    "password",
    /password\([^)\n]{0,80}?defaultValue:\s?["']([^"'\n]{5,200})["']/y,
  ),
  finder(
    ["createUser "],
    "password",
    /createUser \S{1,40} (?:SHA|MD5)\S{0,4} "?(?!\[redacted)([^\s"]{6,200})"?/y,
  ),
  finder(
    ["createUser "],
    "password",
    /createUser \S{1,40} (?:SHA|MD5)\S{0,4} \S{1,200} (?:AES|DES)\S{0,4} "?([^\s"]{6,200})"?/y,
  ),
  finder(["MIT-MAGIC-COOKIE-1"], "cookie", /MIT-MAGIC-COOKIE-1"?,?\s{1,8}"?([0-9a-f]{32,64})/y),
  finder(["setcookie "], "cookie", /(?<=-)setcookie\s{1,4}["']?([^\s"']{12,200})/y, true),
  finder(["rpcauth="], "password-hash", /rpcauth=[\w.-]{1,40}:([0-9a-f]{16,64}\$[0-9a-f]{32,128})/y),
  finder(["PASSWORD "], "password", /PASSWORD [a-z]\w{1,30} = (\S{8,100})/y, true),
  finder(
    ["issecret=true]", "isSecret=true]", "task.setsecret]"],
    "secret",
    /[\w.]{8,15}(?:=true)?\]([^\s"'`$]{5,300})/y,
  ),
  // Consoles of routers have the kind of a value before it.
  finder(
    ["password 7 ", "password 0 ", "secret 0 ", "secret 5 ", "secret 9 "],
    "password",
    /\w{6,8} \d (\S{6,200})/y,
  ),
];

/** Signs within words: names whose word for a secret stands in the middle, as `account.key.HOST`, and marks. */
export const MIDDLE_FINDERS: readonly Finder[] = [
  finder(
    [".key.", ".secret.", ".password.", ".token."],
    "secret",
    /\.(?:key|secret|password|token)\.(?![\w.-]{0,100}(?:id|hash|name|url|path|version|type|expiry)["'\s=:,])[\w.-]{2,100}["']?(?:\s{0,3}[=:,]\s{0,3}|[ \t]{1,4}|<\/name>\s{0,40}<value>)["']?((?=[^\s"']{0,40}\d)[\w+/=.~!@#%^&*-]{16,400})/y,
    true,
  ),
  // A list of who may do what in Redis, and the secrets of a tunnel.
  finder([" on >"], "password", /(?<=user \S{1,40}) on >(\S{6,200})/y),
  finder([": EAP ", ": XAUTH ", ": PSK ", ": NTLM "], "password", /: [A-Z]{3,5} "([^"\n]{5,200})"/y),
  finder(["@ByteArray("], "password-hash", /@ByteArray\(([\w+/=:]{40,400})\)/y, true),
];
