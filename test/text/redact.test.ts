import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cleanText } from "../../src/text/clean.ts";
import { redactAnnounced, redactAssignments } from "../../src/text/credentials.ts";
import { redact } from "../../src/text/redact.ts";
import { SECRET_RULES } from "../../src/text/secret-rules.ts";
import { secretSigns } from "../../src/text/secret-signs.ts";
import { fcOptions } from "../support/fast-check.ts";
import { BASE62, BASE64, DIGITS, HEX, LOWER, randomText, UPPER, URL64 } from "../support/random-text.ts";

const r = randomText(20_260_302);
/** Base 62 with a digit in it, as every real token of this length has. */
const t = (length: number) => `7${r(BASE62, length - 1)}`;
const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJ${t(40)}.${r(URL64, 43)}`;
const pem = (kind: string) =>
  `-----BEGIN ${kind}-----\n${r(BASE64, 64)}\n${r(BASE64, 64)}\n${r(BASE64, 20)}==\n-----END ${kind}-----`;

/** What stands before the secret, the secret, what stands behind it, and its kind. */
const SECRETS: [kind: string, before: string, secret: string, after: string][] = [
  ["aws-access-key", "key ", `AKIA${r(UPPER + "234567", 16)}`, " for s3"],
  ["aws-access-key", "session key ", `ASIA${r(UPPER + "234567", 16)}`, "."],
  ["api-key", "aws_secret_access_key = ", `9${r(BASE64, 39)}`, "\nregion = eu"],
  ["aws-bedrock-key", "export X=", `ABSK${r(BASE64, 110)}=`, ""],
  ["alibaba-access-key", "id: ", `LTAI${t(20)}`, ","],
  ["anthropic-key", "ANTHROPIC ", `sk-ant-api03-${r(URL64, 93)}AA`, "\n"],
  ["anthropic-key", "with ", `sk-ant-oat01-${r(URL64, 80)}`, " it works"],
  ["openrouter-key", "use ", `sk-or-v1-${r(HEX, 64)}`, ""],
  ["openai-key", "use ", `sk-proj-${r(URL64, 120)}`, ""],
  ["openai-key", "use ", `sk-svcacct-${r(URL64, 60)}`, ""],
  ["api-key", "legacy ", `sk-${t(20)}T3BlbkFJ${t(20)}`, ""],
  ["groq-key", "(", `gsk_${t(52)}`, ")"],
  ["xai-key", "'", `xai-${t(80)}`, "'"],
  ["perplexity-key", '"', `pplx-${t(48)}`, '"'],
  ["replicate-token", "", `r8_${t(37)}`, " ok"],
  ["huggingface-token", "login --with ", `hf_${t(34)}`, ""],
  ["github-token", "remote ", `ghp_${t(36)}`, ""],
  ["github-token", "oauth ", `gho_${t(36)}`, ""],
  ["github-token", "app ", `ghs_${t(36)}`, ""],
  ["github-token", "fine-grained ", `github_pat_${t(22)}_${t(59)}`, ""],
  ["gitlab-token", "git ", `glpat-${t(20)}`, ""],
  ["gitlab-token", "runner ", `glrt-${t(20)}`, ""],
  ["slack-token", "bot ", `xoxb-${r(DIGITS, 12)}-${r(DIGITS, 13)}-${t(24)}`, ""],
  ["slack-token", "user ", `xoxp-${r(DIGITS, 12)}-${r(DIGITS, 12)}-${t(32)}`, ""],
  ["slack-token", "app ", `xapp-1-A${r(UPPER, 10)}-${r(DIGITS, 13)}-${r(HEX, 64)}`, ""],
  ["slack-webhook", "https://hooks.slack.com/services/", `T${r(UPPER, 8)}/B${r(UPPER, 8)}/${t(24)}`, ""],
  ["google-key", "key=", `AIza${r(URL64, 35)}`, "&z=1"],
  ["google-oauth", "", `ya29.${r(URL64, 60)}`, ""],
  ["google-client-secret", "", `GOCSPX-${r(URL64, 28)}`, ""],
  ["google-oauth", "refresh ", `1//0${r(URL64, 60)}`, ""],
  ["stripe-key", "", `sk_live_${t(24)}`, ""],
  ["stripe-key", "", `rk_test_${t(24)}`, ""],
  ["webhook-secret", "", `whsec_${t(32)}`, ""],
  ["square-token", "", `sq0atp-${r(URL64, 22)}`, ""],
  ["braintree-token", "", `access_token$production$${r(LOWER + DIGITS, 16)}$${r(HEX, 32)}`, ""],
  ["shopify-token", "", `shpat_${r(HEX, 32)}`, ""],
  ["npm-token", "//registry.npmjs.org/ ", `npm_${t(36)}`, ""],
  [
    "token",
    "//registry.npmjs.org/:_authToken=",
    `${r(HEX, 8)}-${r(HEX, 4)}-4${r(HEX, 3)}-8${r(HEX, 3)}-${r(HEX, 12)}`,
    "\n",
  ],
  ["pypi-token", "password is ", `pypi-AgEIcHlwaS5vcmc${r(URL64, 80)}`, ""],
  ["rubygems-token", "", `rubygems_${r(HEX, 48)}`, ""],
  ["crates-token", "cargo login ", `cio${t(32)}`, ""],
  ["nuget-key", "", `oy2${r(LOWER + DIGITS, 43)}`, ""],
  ["docker-token", "", `dckr_pat_${r(URL64, 27)}`, ""],
  ["jfrog-token", "", `AKCp${t(69)}`, ""],
  ["sendgrid-key", "", `SG.${r(URL64, 22)}.${r(URL64, 43)}`, ""],
  ["mailgun-key", "", `key-${r(HEX, 32)}`, ""],
  ["mailchimp-key", "", `${r(HEX, 32)}-us12`, ""],
  ["twilio-key", "", `SK${r(HEX, 32)}`, ""],
  ["digitalocean-token", "", `dop_v1_${r(HEX, 64)}`, ""],
  ["databricks-token", "", `dapi${r(HEX, 32)}`, ""],
  ["heroku-key", "", `HRKU-${t(60)}`, ""],
  ["vault-token", "", `hvs.${r(URL64, 90)}`, ""],
  ["terraform-token", "", `${t(14)}.atlasv1.${r(URL64, 67)}`, ""],
  ["linear-key", "", `lin_api_${t(40)}`, ""],
  ["notion-token", "", `ntn_${t(46)}`, ""],
  ["notion-token", "", `secret_${t(43)}`, ""],
  ["airtable-token", "", `pat${t(14)}.${r(HEX, 64)}`, ""],
  ["atlassian-token", "", `ATATT3${r(URL64, 180)}`, ""],
  ["figma-token", "", `figd_${r(URL64, 40)}`, ""],
  ["grafana-token", "", `glsa_${t(32)}_${r(HEX, 8)}`, ""],
  ["newrelic-key", "", `NRAK-${r(UPPER + DIGITS, 27)}`, ""],
  ["sentry-token", "", `sntrys_${r(BASE64, 100)}`, ""],
  ["postman-key", "", `PMAK-${r(HEX, 24)}-${r(HEX, 34)}`, ""],
  ["doppler-token", "", `dp.st.dev.${t(40)}`, ""],
  ["planetscale-token", "", `pscale_tkn_${r(URL64, 43)}`, ""],
  ["supabase-key", "", `sbp_${r(HEX, 40)}`, ""],
  ["fly-token", "", `fm2_${r(BASE64, 120)}`, ""],
  ["pulumi-token", "", `pul-${r(HEX, 40)}`, ""],
  ["sonar-token", "", `squ_${r(HEX, 40)}`, ""],
  ["circleci-token", "", `CCIPAT_${t(22)}_${r(HEX, 40)}`, ""],
  ["resend-key", "", `re_${t(8)}_${t(24)}`, ""],
  ["age-key", "", `AGE-SECRET-KEY-1${r(UPPER + DIGITS, 58)}`, ""],
  ["telegram-token", "bot ", `${r(DIGITS.slice(1), 9)}:AA${r(URL64, 33)}`, ""],
  ["discord-token", "client.login('", `M${t(23)}.${r(URL64, 6)}.${r(URL64, 38)}`, "')"],
  ["discord-webhook", `https://discord.com/api/webhooks/${r(DIGITS, 18)}/`, r(URL64, 68), ""],
  ["azure-key", "AccountName=a;AccountKey=", `${r(BASE64, 86)}==`, ";EndpointSuffix=core"],
  ["azure-sas", "https://a.blob.core.windows.net/c?sv=2024&sig=", `${r(BASE62, 43)}%3D`, "&se=2026"],
  ["azure-client-secret", "", `${t(3)}8Q~${r(BASE62, 34)}`, ""],
  ["jwt", "cookie ", jwt, ";"],
  ["jwt", "supabase anon ", `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ${t(60)}.${r(URL64, 43)}`, ""],
  ["private-key", "a\n", pem("RSA PRIVATE KEY"), "\nb"],
  ["private-key", "", pem("OPENSSH PRIVATE KEY"), ""],
  ["private-key", "", pem("PRIVATE KEY"), " and text"],
  ["private-key", "", pem("EC PRIVATE KEY").replaceAll("\n", "\\n"), '"'],
  ["private-key", "cut off: ", `-----BEGIN PRIVATE KEY-----\n${r(BASE64, 64)}\n${r(BASE64, 30)}`, ""],
  ["authorization", "Authorization: Bearer ", t(40), "\nAccept: */*"],
  ["authorization", "curl -H 'Authorization: Basic ", `${t(20)}==`, "' https://x"],
  ["authorization", '{"authorization":"token ', t(20), '"}'],
  ["api-key", "-H 'x-api-key: ", t(24), "'"],
  ["password", "postgres://app:", "s3cr3t-pa55", "@db.internal:5432/app"],
  ["password", "git clone https://me:", t(20), "@git.example.com/a.git"],
  ["password", "redis://:", "hunter22", "@cache:6379"],
  ["password", "DB_PASSWORD=", "correcthorse", "\nDB_HOST=db"],
  ["password", "export PGPASSWORD='", "tr0ub4dor&3", "'"],
  ["password", "password: '", "tr0ub4dor&3", "'"],
  ["password", "mysql -u root --password=", "hunter2x", " app"],
  ["password", "curl -u admin:", "Pa55word", " https://x"],
  ["password", "machine x login me password ", "hunter2x", "\n"],
  ["password", "sshpass -p '", "hunter2x", "' ssh x"],
  ["api-key", '"api_key": "', r(HEX, 32), '"'],
  ["api-key", "OPENWEATHER_API_KEY=", r(HEX, 32), ""],
  ["api-key", '{\\"apiKey\\":\\"', t(24), '\\"}'],
  ["secret", "client_secret=", t(30), "&grant_type=x"],
  ["secret", "SESSION_SECRET=", "keyboardcat", "\n"],
  ["token", "SLACK_BOT_TOKEN: '", t(30), "'"],
  ["token", "access_token=", t(30), "&x=1"],
  ["token", "const token = `", t(30), "`"],
];

describe("secrets", () => {
  test("there are at least 60 formats", () => {
    expect(SECRETS.length).toBeGreaterThanOrEqual(60);
  });

  test.each(SECRETS)("%s after %j", (kind, before, secret, after) => {
    const text = `${before}${secret}${after}`;
    const once = redact(text);
    expect(once).toBe(`${before}[redacted:${kind}]${after}`);
    expect(redact(once)).toBe(once);
    const inside = `Some text first.\n${text}\nand some text behind.`;
    expect(redact(inside)).toBe(
      `Some text first.\n${before}[redacted:${kind}]${after}\nand some text behind.`,
    );
  });
});

const HARMLESS: string[] = [
  r(HEX, 40),
  `commit ${r(HEX, 40)} of main`,
  `sha256:${r(HEX, 64)}`,
  `md5 ${r(HEX, 32)}`,
  `${r(HEX, 8)}-${r(HEX, 4)}-4${r(HEX, 3)}-8${r(HEX, 3)}-${r(HEX, 12)}`,
  `"integrity": "sha512-${r(BASE64, 86)}=="`,
  `resolved "https://registry.npmjs.org/a/-/a-1.0.0.tgz#${r(HEX, 40)}"`,
  `checksum = "${r(HEX, 64)}"`,
  `github.com/a/b v1.2.3 h1:${r(BASE64, 43)}=`,
  `data:image/png;base64,iVBORw0KGgo${r(BASE64, 300)}`,
  `/9j/4AAQSkZJRg${r(BASE64, 300)}`,
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI me@host",
  `-----BEGIN CERTIFICATE-----\n${r(BASE64, 64)}\n-----END CERTIFICATE-----`,
  `-----BEGIN PUBLIC KEY-----\n${r(BASE64, 64)}\n-----END PUBLIC KEY-----`,
  "What does -----BEGIN RSA PRIVATE KEY----- mean?",
  `index ${r(HEX, 7)}..${r(HEX, 7)} 100644`,
  `toolu_01${t(22)}`,
  `msg_01${t(22)}`,
  `req_011${t(21)}`,
  `session ${t(26)}`,
  `etag "${r(HEX, 32)}"`,
  `pk_live_${t(24)}`,
  `arn:aws:iam::${r(DIGITS, 12)}:role/deploy`,
  `${r(DIGITS, 10)}:AAPL is a stock`,
  "token: string;",
  "password: z.string().min(8)",
  "const token = getToken();",
  "const password = process.env.DB_PASSWORD;",
  "api_key=os.environ['API_KEY']",
  "password = self.config.password",
  "PASSWORD=$DB_PASSWORD",
  "API_KEY=${{ secrets.API_KEY }}",
  "TOKEN=<your token here>",
  "API_KEY=your-api-key-here",
  "SECRET=changeme",
  "MAX_TOKENS=4096",
  "max_tokens: 4096",
  '"tokens": 128000',
  "nextPageToken: abc123def456",
  "SECRET_FILE=/run/secrets/db",
  "secretName: db-credentials-v2",
  "if (token === 'abc123def') return;",
  "if token == other_token1:",
  "the token: it is short",
  "Password: enter your password",
  "forgotPassword: true",
  "primary_key=id_2",
  "cacheKey: 'user:42:profile'",
  "keyboard: 'qwerty123'",
  "https://example.com/a?b=c#d",
  "https://example.com:8080/path@2x.png",
  "http://localhost:3000/@fs/home/me/a.ts",
  "git@github.com:me/repo.git",
  "ssh://git@github.com:22/me/repo.git",
  "postgres://localhost:5432/app",
  "postgres://app:${DB_PASSWORD}@db/app",
  "postgres://app:$DB_PASSWORD@db/app",
  "npm_config_registry=https://registry.npmjs.org",
  "npm_lifecycle_event",
  "sk-learn and sk-toggleable__content-wide-enough-to-be-long",
  "the risk-assessment-of-the-whole-project-2026-version-2",
  "hf_transfer is a package",
  "patient records and pattern.matching",
  "re_compile_the_pattern_again_and_again",
  "ghp_short",
  "AKIA is a prefix",
  "eyJ is how a JWT starts",
  "Bearer of bad news about everything",
  "Authorization: Bearer <token>",
  "Authorization: Bearer $TOKEN",
  "curl -u $USER:$PASS https://x",
  "--password-file /run/secrets/pw1",
  "mysql --password -u root",
  "src/components/AuthenticationTokenProviderFactory2.tsx",
  "node_modules/.pnpm/@babel+core@7.24.0_supports-color@9.4.0/node_modules/x",
  "a/b/c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f6a7b8c9d0/file.ts",
  "2026-03-02T09:00:00.000Z",
  "日本語のパスワード: ひみつ",
];

describe("look-alikes", () => {
  test("there are at least 60", () => {
    expect(HARMLESS.length).toBeGreaterThanOrEqual(60);
  });

  test.each(HARMLESS)("%s", (text) => {
    expect(redact(text)).toBe(text);
    expect(redact(`before\n${text}\nbehind`)).toBe(`before\n${text}\nbehind`);
  });
});

test("several secrets in one text are each taken out", () => {
  const text = SECRETS.map(([, before, secret, after]) => before + secret + after).join("\n\n");
  const redacted = redact(text);
  for (const [, , secret] of SECRETS) expect(redacted).not.toContain(secret);
});

test("the first pass overlooks no rule that finds something, and nothing that is announced or assigned", () => {
  const secrets = SECRETS.map(([, before, secret, after]) => before + secret + after);
  const joints = fc.constantFrom(
    "",
    " ",
    "\n",
    "-",
    " -",
    " --",
    "_",
    "é",
    "🙂",
    "a",
    "7",
    ":",
    "=",
    "=AA",
    "://",
    "@",
  );
  const pieces = fc.oneof(fc.constantFrom(...secrets, ...HARMLESS), joints, fc.string({ maxLength: 5 }));
  const texts = fc.array(pieces, { maxLength: 8 }).map((all) => all.join(""));
  fc.assert(
    fc.property(texts, (text) => {
      const signs = secretSigns(text);
      const rules = SECRET_RULES.filter(({ pattern }) => text.replace(pattern, "") !== text);
      expect(signs?.rules ?? []).toEqual(expect.arrayContaining(rules));
      if (redactAnnounced(text) !== text) expect(signs?.announced).toBe(true);
      const marks = Array.from(text.matchAll(/[=:]/g), ({ index }) => index);
      expect(redactAssignments(text, signs?.assignments ?? [])).toBe(redactAssignments(text, marks));
    }),
    fcOptions(),
  );
});

test("redacting never fails, and twice is as good as once", () => {
  const pieces = fc.constantFrom(
    ...SECRETS.map(([, b, s, a]) => b + s + a),
    ...HARMLESS,
    "=",
    ":",
    '"',
    "'",
    " ",
    "\n",
  );
  const texts = fc
    .array(fc.oneof(pieces, fc.string({ unit: "grapheme", maxLength: 12 })), { maxLength: 6 })
    .map((all) => all.join(" "));
  fc.assert(
    fc.property(texts, (text) => {
      const once = redact(text);
      expect(redact(once)).toBe(once);
    }),
    fcOptions(),
  );
});

test("no text takes long", () => {
  const hostile = [
    "a",
    "=",
    ":",
    "-",
    "_",
    ".",
    "://",
    "password=",
    "eyJ",
    "-----BEGIN PRIVATE KEY-----",
    "curl -u ",
    "AAAA+/",
    "@",
    " -p",
  ];
  for (const piece of hostile) {
    // Quadratic work on so much text takes minutes, and runs into the test's time-out.
    const text = piece.repeat(Math.ceil(400_000 / piece.length));
    expect(redact(text).length).toBeGreaterThan(0);
  }
});

test("private passages go with the secrets", () => {
  expect(cleanText("a <private>b</private> c PASSWORD=hunter22")).toBe("a  c PASSWORD=[redacted:password]");
});
