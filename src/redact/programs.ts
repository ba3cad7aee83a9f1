import { type Finder, finder, firstGroup, found, type Secret, valueBehind } from "./finder.ts";
import { PASSWORD } from "./names.ts";
import { looksMixed } from "./randomness.ts";
import { isStandIn } from "./stand-ins.ts";
import { isSecretValue } from "./values.ts";

const ARGS = "[^\\n|;]{0,300}?";

/** Options of `pulumi config set`, with their values. */
const OPTIONS = "(?:\\s{1,20}(?:--(?:secret|path|plaintext)|(?:--stack|--cwd|-s|-C)[ =]\\S{1,80})){0,4}";

interface Command {
  /** Words that start such a command. */
  words: readonly string[];
  kind: string;
  /** Sticky, from the start of the word. The first group that matched is the secret. */
  pattern: RegExp;
  /** The value is a secret only when it looks random. */
  random?: boolean;
}

function command(words: string, rest: string, kind = "password", random = false, user = ""): Command {
  const pattern = new RegExp(`(?:${words})${rest}${valueBehind(user)}`, "y");
  return { words: words.split("|"), kind, pattern, random };
}

/** Commands with a secret that no name announces: the programs, and what precedes the secret. */
const COMMANDS: readonly Command[] = [
  command(
    "mysql |mysqldump |mysqladmin |mysqlimport |mariadb |mariadb-dump |mysqlsh ",
    `${ARGS}(?<=\\s)-p(?=[^\\s-])`,
  ),
  command(
    "docker login|podman login|helm registry login|skopeo login|oras login|buildah login|az acr login|nerdctl login|crane auth login",
    `${ARGS}\\s-p[ =]?`,
  ),
  command("redis-cli |keydb-cli |valkey-cli ", `${ARGS}(?<=\\s)-a[ =]?`),
  command("sshpass ", `${ARGS}(?<=\\s)-p\\s{0,3}`),
  command(
    "curl |wget |lftp ",
    `(?:[^\\n;]{0,400}?\\s)?(?:-[a-zA-Z]{0,5}u|--user|--proxy-user|-U|-a|--auth)[ =]{0,3}`,
    "password",
    false,
    "[^\\s:\"'=]{1,80}[:,]",
  ),
  command("ldapsearch |ldapmodify |ldapadd |ldapwhoami |ldappasswd ", `${ARGS}(?<=\\s)-w\\s{0,3}`),
  command("sqlcmd |bcp |isql |osql ", `${ARGS}(?<=\\s)-P\\s{0,3}`),
  command(
    "knife |zip |unzip |mosquitto_pub |mosquitto_sub |ipmitool |snmpwalk ",
    `${ARGS}(?<=\\s)-P\\s{1,3}`,
  ),
  command("7z |7za |rar |unrar ", `${ARGS}(?<=\\s)-h?p(?=[^\\s-])`),
  command(
    "cypher-shell |influx |cf login|mongo |mongosh |mongodump |mongorestore |mongoexport |cqlsh |oc login|az login|az sql |altool |twine upload|psexec |clickhouse-client |arangosh |couchbase-cli |atlas dbusers|snowsql |pihole -a",
    `${ARGS}(?<=\\s)-p[ =]{1,3}`,
  ),
  command("az keyvault secret set|az pipelines variable", `${ARGS}(?<=\\s)--value[ =]{1,3}`, "secret"),
  command("supabase ", `${ARGS}(?<=\\s)-p[ =]{1,3}`),
  command(
    "gh secret set|gcloud secrets",
    `[^\\n]{0,200}<\\(\\s{0,3}(?:echo|printf)\\s{1,3}(?:-n\\s{1,3})?`,
    "secret",
  ),
  command("codecov.io/bash", `\\)?[^\\n;]{0,60}?(?<=\\s)-t[ =]{1,3}`, "token"),
  command("codecov ", `${ARGS}(?<=\\s)-t[ =]{1,3}`, "token"),
  command(
    "ansible-vault encrypt_string",
    `(?:\\s{1,20}--?[\\w-]+(?:[ =][^\\s'"-]\\S*)?){0,5}\\s{1,20}(?=["'])`,
  ),
  command("passwordeval |PassCmd ", `\\\\{0,15}["']?(?:echo|printf)\\s{1,3}`),
  command("password-command", `[ =]{1,3}["']?(?:echo|printf)\\s{1,3}`),
  command("net use", `\\s[^\\n]{0,20}?\\\\{2}\\S{1,100}\\s{1,3}(?=[^\\s/]\\S*\\s{1,20}/user)`),
  command("cf auth ", `\\S{1,60}\\s{1,3}`),
  command("influx ", `${ARGS}(?<=\\s)-p[ =]{1,3}`, "password", false, "[\\w.@-]{1,60}:"),
  command("plink |pscp |psftp |putty ", `${ARGS}(?<=\\s)-pw\\s{1,3}`),
  command("xfreerdp |wfreerdp ", `${ARGS}(?<=\\s)/p:`),
  command(
    "smbclient |rpcclient |mount.cifs |smbget ",
    `${ARGS}(?<=\\s)(?:-U|--user=?)\\s{0,3}`,
    "password",
    false,
    "[\\w./\\\\-]{1,80}%",
  ),
  command(
    "htpasswd ",
    `-[a-zA-Z]{0,6}b[a-zA-Z]{0,6}[ \\t]+(?:[^\\s-]\\S*[ \\t]+){1,2}(?=\\S{1,200}[ \\t]*(?:$|[\\n;|&>]))`,
  ),
  command("openssl ", `${ARGS}(?<=\\s)-(?:passin|passout|pass)\\s{1,20}(?:pass:)`),
  command("openssl ", `(?:enc|des3|aes)[^\\n|;]{0,200}?(?<=\\s)-K\\s{1,20}`, "api-key", true),
  command("openssl ", `(?:enc|des3|aes)[^\\n|;]{0,200}?(?<=\\s)-k\\s{1,20}`),
  command("wpa_passphrase ", `\\\\{0,15}["']?\\S{1,40}\\s{1,20}`),
  command(
    "rabbitmqctl |rabbitmqadmin ",
    `(?:add_user|change_password|authenticate_user)\\s{1,20}\\S{1,60}\\s{1,20}`,
  ),
  command("mosquitto_passwd ", `-b\\s{1,20}\\S{1,200}\\s{1,20}\\S{1,200}\\s{1,20}`),
  command(
    "etcdctl ",
    `${ARGS}(?<=\\s)(?:--user[ =]|user add |role grant )`,
    "password",
    false,
    "[\\w.@-]{1,60}:",
  ),
  command("http |https |xh ", `${ARGS}(?<=\\s)(?:-a|--auth)[ =]{1,3}`, "password", false, "[\\w.@-]{1,60}:"),
  command("ldappasswd ", `${ARGS}(?<=\\s)-s\\s{1,3}`),
  command("nmcli ", `${ARGS}\\spassword\\s{1,3}`),
  command("cmdkey |wmic |net use|runas |psexec |PsExec ", `${ARGS}(?<=\\s)/pass(?:word)?:`),
  command("bw login ", `\\S{3,60}@\\S{1,60}\\s{1,3}`),
  command("mc admin user add", `\\s{1,20}\\S{1,200}\\s{1,20}\\S{1,200}\\s{1,20}`),
  command(
    "eas secret:create|eas env:create|vercel env add|netlify env:set|railway variables",
    `${ARGS}(?<=\\s)--value[ =]{1,3}`,
    "secret",
  ),
  command("gh secret set|gh variable set", `${ARGS}(?<=\\s)(?:-b|--body)[ =]{0,3}`, "secret"),
  command("aws configure set", `\\s{1,20}[\\w.]*(?:secret_access_key|session_token)\\s{1,20}`, "api-key"),
  command("aws configure set", `\\s{1,20}[\\w.]*access_key_id\\s{1,20}`, "api-key", true),
  command(
    "mc alias set|mc config host add",
    `\\s{1,20}\\S{1,200}\\s{1,20}\\S{1,200}\\s{1,20}\\S{1,200}\\s{1,20}`,
    "api-key",
  ),
  command(
    "composer config",
    `${ARGS}(?:http-basic|github-oauth|gitlab-token|bearer)\\.\\S{1,200}\\s{1,20}(?:\\S{1,200}\\s{1,20})?(?=\\S{1,200}\\s{0,20}(?:$|[\\n;|&]))`,
    "token",
  ),
  command(
    "wandb login|snyk auth|cargo login|vault login|doppler login|fly auth token|ngrok authtoken|wrangler secret put|huggingface-cli login|bw unlock|vault operator unseal|sentry-cli login|snyk config set|nuget setApiKey|nuget push|gem push|dotnet nuget push|doctl auth init|vercel |netlify |firebase |surge |railway login",
    `${ARGS}(?<=[\\s=])(?=["']?[\\w.-]*\\d)`,
    "token",
    true,
  ),
  command("chpasswd", `\\s{0,20}<<<\\s{0,20}\\\\{0,15}["']?[\\w.-]{1,40}:`),
  command("useradd |usermod ", `${ARGS}(?<=\\s)(?:-p|--password)[ =]{1,3}`),
  command("net use|net user", `${ARGS}\\s(?:/user:\\S{1,200}\\s{1,20}|(?=\\S{1,200}\\s{1,20}/add))`),
  command("git clone|git remote", `${ARGS}x-access-token:`, "token"),
  command("kubectl create secret|oc create secret", `[^\\n|;]{0,300}--from-literal[ =]["']?[\\w.-]{1,60}=`),
  command("vault kv put|vault write|vault kv patch", `\\s[^\\n|;]{0,300}?\\s[\\w.-]{1,60}=(?!@)`),
  command("ssh-keygen ", `${ARGS}(?<=\\s)-[NP]\\s{0,3}(?!["']?\\[redacted)`),
  command("sqlplus |expdp |impdp |sqlldr |rman ", `${ARGS}(?<=\\s)["']?[\\w$#]{1,40}/(?=\\S{1,80}@)`),
  command(
    "pulumi config set",
    `(?=[^\\n]{0,300}\\s--secret\\b)${OPTIONS}\\s{1,20}["']?\\w[\\w.:[\\]-]{0,80}["']?${OPTIONS}\\s{1,20}(?=["']|\\S{0,100}\\d|\\S{8,300}[ \\t]*(?:$|[\\n;|&]))`,
  ),
  command("aws ssm put-parameter", `(?=[^\\n]{0,400}SecureString)[^\\n|;]{0,300}?--value[ =]{1,3}`),
  command(
    "poetry config",
    `${ARGS}http-basic\\.\\S{1,200}\\s{1,20}\\S{1,200}\\s{1,20}(?=\\S{1,200}\\s{0,20}(?:$|[\\n;|&]))`,
  ),
  command("bundle config", `\\s[^\\n|;:]{1,120}?\\s[\\w.-]{1,60}:(?!/)`),
  command(
    "dotnet nuget |nuget sources |conan user |conan remote |pulumi config ",
    `${ARGS}(?<=\\s)-p[ =]{1,3}`,
  ),
  command("security add-|security import", `${ARGS}(?<=\\s)-[wP]\\s{1,3}`),
  command(
    "security unlock-keychain|security create-keychain|security set-key",
    `${ARGS}(?<=\\s)-[pk]\\s{1,3}`,
  ),
  command("snmpwalk |snmpget |snmpset |snmpbulkwalk ", `${ARGS}(?<=\\s)-[AX]\\s{1,3}(?!["']?\\[redacted)`),
  command(
    "snmpwalk |snmpget |snmpset |snmpbulkwalk |snmptrap ",
    `${ARGS}(?<=\\s)-c\\s{1,3}`,
    "snmp-community",
  ),
  command("enable secret|enable password", `\\s[0579]\\s`),
  command("username ", `\\S{1,40}\\s[^\\n]{0,40}?(?:secret|password)\\s[0579]\\s`),
  command("snmp-server community", `\\s`),
  command("rclone config create", `${ARGS}\\s(?:key|pass|password|token|secret_access_key)[ =]{1,3}`),
  command("mysql.user_create |mysql.user_chpass ", `\\S{1,200}\\s{1,20}\\S{1,200}\\s{1,20}`),
  command("openssl dgst ", `${ARGS}(?<=\\s)-(?:hmac\\s{1,20}|macopt\\s{1,20}(?:hex)?key:)`),
  command("oathtool ", `${ARGS}(?<=\\s)(?:-b|--base32)\\s{1,20}`, "totp-secret"),
  command("ACL SETUSER", `\\s[^\\n]{0,80}?\\s>`),
  command("ascii-text ", "\\s{0,3}"),
  command("npm config set _auth|yarn config set npmAuthIdent", "[ =]{1,3}"),
  command("rabbitmqadmin ", `${ARGS}(?<=\\s)-p[ =]{1,3}`),
  command("qpdf ", `${ARGS}(?<=\\s)--encrypt\\s{1,20}(?:\\[redacted:\\w+\\]\\s{1,20})?(?!\\[redacted)`),
  command("mkpasswd ", `(?:-{1,2}[\\w-]+(?:[ =](?:sha-?\\d+|yescrypt|bcrypt|md5))?\\s{1,20}){0,3}(?!-)`),
  command("openssl passwd", `(?:\\s{1,20}-\\w+){1,3}\\s{1,20}(?!-)`),
  command(
    "networksetup -setairportnetwork",
    `\\s{1,20}\\S{1,10}\\s{1,20}(?:"[^"\\n]{1,40}"|\\S{1,40})\\s{1,20}`,
  ),
  // Consoles of routers.
  command("tacacs-server key|radius-server key|key-string", `\\s(?:[057]\\s)?`),
  command("message-digest-key ", `\\d{1,3}\\smd5\\s(?:[07]\\s)?`),
  command("signtool ", `${ARGS}(?<=\\s)/p\\s{1,3}`),
  command("poetry config pypi-token", "\\.\\S{1,40}\\s{1,3}", "token"),
  command(
    "drush upwd|drush user:password|drush user-password",
    "\\s{1,20}\\S{1,60}\\s{1,20}(?:--password=)?",
  ),
  command("splunk ", `${ARGS}(?<=\\s)-auth\\s{1,20}`, "password", false, "[\\w.@-]{1,60}:"),
  command("rootpw ", "(?:--\\w+\\s){0,2}(?!--)"),
  command("rclone obscure ", "\\s{0,3}"),
  command("NickServ ", `:?(?i:identify|register)\\s(?:\\w{1,30}\\s(?=\\S*\\d))?`),
];

/** A line of curl's configuration. */
const CURLRC = /user\s{0,3}=\s{0,3}"[\w.@-]{1,60}:(?=[^\s"]*\d)(?=[^\s"]*[A-Za-z])([^\s"]{8,200})"/y;
const CURL = "curl [^\\n;]{0,400}?(?<=\\s)";
/** `-u TOKEN:`, `-u :password` and `--cert file:password` of curl. */
const TOKEN_USER = new RegExp(
  `${CURL}(?:-u|--user|-U|--proxy-user)[ =]{0,3}["']?([^\\s:"']{12,300})(?=:["']?(?:\\s|$))`,
  "y",
);
const NO_USER = new RegExp(`${CURL}(?:-u|--user|-U|--proxy-user)[ =]{0,3}["']?:([^\\s"']{5,300})`, "y");
const CERTIFICATE = new RegExp(
  `${CURL}(?:-E|--cert|--proxy-cert)[ =]{0,3}["']?[^\\s:"']{1,200}:([^\\s"']{4,200})`,
  "y",
);
/** A login of Oracle's console: `CONNECT user/password@database`. */
const CONNECT =
  /conn(?:ect)?\s{1,20}\w[\w$#]{0,40}\/(?=\S{0,80}\d\S{0,80}@|\S{1,80}@(?:\/\/|\S{1,80}\s{1,20}as\s{1,20}sys))"?([^\s"'/]{4,100})"?@(?:\/\/)?[\w.$-]{1,80}/iy;
const COOKIE = new RegExp(
  `${CURL}(?:-b|--cookie)[ =]{0,3}["']?(?!_?(?:ga|gid|gcl|fbp|fbc|hj|utm)\\w*=)[\\w.-]{1,80}=([^"'\\s;]{16,4000})`,
  "y",
);
/** The argument of a list, as containers are started: `["mysqladmin", "-uroot", "-p…"]`. */
const LISTED =
  /["'](?:mysqladmin|mysql|mysqldump|mariadb(?:-admin|-dump)?)["'][^\n\]]{0,200}?["']-p([^"'\n]{4,200})["']/y;
/** Secrets in the command lines of programs. */
export const PROGRAM_FINDERS: readonly Finder[] = [
  ...COMMANDS.map(({ words, kind, pattern, random }) => finder(words, kind, pattern, random)),
  finder(['"mysql', "'mysql", '"mariadb', "'mariadb"], "password", LISTED),
  finder(
    ['"redis-cli"', "'redis-cli'", '"mongosh"', '"mongo"', '"sqlcmd"'],
    "password",
    /["'][\w-]{5,9}["'][^\n\]]{0,200}?["']-[apP]["'],\s{0,4}["']([^"'\n]{4,200})["']/y,
  ),
  finder(["curl "], "token", TOKEN_USER, true),
  finder(["curl "], "password", NO_USER),
  finder(["CONNECT ", "connect ", "Connect ", "CONN ", "conn "], "password", CONNECT),
  finder(["curl "], "cookie", COOKIE, true),
  finder(["user = ", "user="], "password", CURLRC, true),
  finder(["curl "], "password", CERTIFICATE),
];

const SHORT_FLAG = /-[a-zA-Z][ =]\\{0,15}["']?(?!\/)([A-Za-z0-9_+/=-]{20,200})(?![\w./:-])/y;

const USER_FLAG = new RegExp(`-[aAuU][ =]${valueBehind("[^\\s:\"'=/]{1,80}:")}`, "y");

/** Finds a long random value after a flag of one letter, or a password after a user's name. */
export function flagSecret(text: string, at: number): Secret | null {
  const login = "pPwW".includes(text[at + 1] ?? " ") ? loginFlag(text, at) : null;
  if (login) return login;
  const pair = found(text, at, USER_FLAG, "password", false);
  const isLikely = pair !== null && /(?=.*\d)(?=.*[A-Za-z]).{8}/.test(text.slice(pair.start, pair.end));
  return isLikely ? pair : randomFlag(text, at);
}

/** A password behind `-u user -p`, whatever the program. */
const LOGIN_FLAG = /[-/](?:[pPwW]|rp|pw|pwd)[ =:]\\{0,15}["']?([^\s"']{5,100})/y;
const USER_BEFORE =
  /\s(?:-[uUlDnp]|--?user(?:name)?|--login|\/r?u|\/user)[ =:]["']?[^\s"']{1,60}["']?\s(?:[^\n|;]{0,40}\s)?$/;

/** Flags of two letters, or with a colon or a slash, as Windows has them. */
export const LOGIN_FLAG_FINDER: Finder = {
  words: [" /p ", " /p:", " /rp ", " -p:", " -pw ", " -pwd "],
  find: (text, at) => loginFlag(text, at + 1),
};

function loginFlag(text: string, at: number): Secret | null {
  const place = firstGroup(text, at, LOGIN_FLAG);
  if (place === null || !USER_BEFORE.test(text.slice(Math.max(0, at - 130), at))) return null;
  return isSecretValue(text.slice(place.start, place.end), PASSWORD, "statement")
    ? { ...place, kind: "password" }
    : null;
}

function randomFlag(text: string, at: number): Secret | null {
  SHORT_FLAG.lastIndex = at;
  const value = SHORT_FLAG.exec(text)?.[1];
  if (value === undefined || isStandIn(value) || !looksMixed(value) || /^RW[^R]/.test(value)) return null;
  const end = SHORT_FLAG.lastIndex;
  return { start: end - value.length, end, kind: "secret" };
}
