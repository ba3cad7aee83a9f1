/** One way to recognise a secret. */
export interface SecretRule {
  kind: string;
  /** The pattern is tried only when one of these is in the text, at the start of a word. */
  triggers: readonly string[];
  /** Global; what its group `secret` holds is replaced, or the whole match where it has none. */
  pattern: RegExp;
  /** Sticky: matches the whole secret where its trigger stands. Without it the trigger is enough to try the pattern. */
  whole?: RegExp;
}

/**
 * Tokens that tell by their prefix whose they are: `kind`, prefixes, what follows. Formats are those that the services
 * document for secret scanning. A prefix counts only at the start of a word.
 */
const PREFIXED: readonly (readonly [kind: string, prefixes: readonly string[], rest: string])[] = [
  ["aws-access-key", ["AKIA", "ASIA"], "[A-Z0-9]{16}(?![A-Za-z0-9])"],
  ["aws-bedrock-key", ["ABSK"], "[A-Za-z0-9+/]{100,}={0,2}"],
  ["alibaba-access-key", ["LTAI"], "[A-Za-z0-9]{12,20}(?![A-Za-z0-9])"],
  ["anthropic-key", ["sk-ant-"], "[\\w-]{20,}"],
  ["openrouter-key", ["sk-or-v1-"], "[0-9a-f]{40,}"],
  ["openai-key", ["sk-proj-", "sk-svcacct-", "sk-admin-"], "[\\w-]{20,}"],
  ["api-key", ["sk-"], "(?=[A-Za-z]*\\d)[A-Za-z0-9]{32,}(?![\\w-])"],
  ["groq-key", ["gsk_"], "[A-Za-z0-9]{40,}"],
  ["xai-key", ["xai-"], "[A-Za-z0-9]{60,}"],
  ["perplexity-key", ["pplx-"], "[A-Za-z0-9]{40,}"],
  ["replicate-token", ["r8_"], "[A-Za-z0-9]{37}"],
  ["huggingface-token", ["hf_", "api_org_"], "[A-Za-z0-9]{34}"],
  ["github-token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], "[A-Za-z0-9]{36,255}"],
  ["github-token", ["github_pat_"], "[A-Za-z0-9_]{22,255}"],
  [
    "gitlab-token",
    ["glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glsoat-", "glimt-", "glagent-", "gloas-", "glft-"],
    "[\\w-]{20,}(?:\\.[\\w-]+)*",
  ],
  [
    "slack-token",
    ["xoxb-", "xoxp-", "xoxa-", "xoxo-", "xoxs-", "xoxr-", "xoxe-", "xoxe.", "xapp-"],
    "[A-Za-z0-9.-]{10,}",
  ],
  ["google-key", ["AIza"], "[\\w-]{35}(?![\\w-])"],
  ["google-oauth", ["ya29."], "[\\w-]{20,}"],
  ["google-client-secret", ["GOCSPX-"], "[\\w-]{20,}"],
  ["stripe-key", ["sk_live_", "sk_test_", "rk_live_", "rk_test_"], "[A-Za-z0-9]{10,}"],
  ["webhook-secret", ["whsec_"], "[A-Za-z0-9+/=]{24,}"],
  ["square-token", ["sq0atp-", "sq0csp-", "sq0idp-"], "[\\w-]{20,}"],
  ["braintree-token", ["access_token$production$", "access_token$sandbox$"], "[0-9a-z]{16}\\$[0-9a-f]{32}"],
  ["shopify-token", ["shpat_", "shpca_", "shppa_", "shpss_"], "[A-Fa-f0-9]{32}"],
  ["npm-token", ["npm_"], "[A-Za-z0-9]{36}"],
  ["pypi-token", ["pypi-"], "AgE[\\w-]{50,}"],
  ["rubygems-token", ["rubygems_"], "[0-9a-f]{48}"],
  ["crates-token", ["cio"], "[A-Za-z0-9]{32}(?![A-Za-z0-9])"],
  ["nuget-key", ["oy2"], "[a-z0-9]{43}(?![A-Za-z0-9])"],
  ["clojars-token", ["CLOJARS_"], "[0-9a-f]{60}"],
  ["docker-token", ["dckr_pat_", "dckr_oat_"], "[\\w-]{20,}"],
  ["jfrog-token", ["AKCp"], "[A-Za-z0-9]{60,}"],
  ["sendgrid-key", ["SG."], "[\\w-]{16,32}\\.[\\w-]{16,64}"],
  ["mailgun-key", ["key-"], "[0-9a-f]{32}(?![0-9a-zA-Z])"],
  ["twilio-key", [..."0123456789abcdef"].map((digit) => `SK${digit}`), "[0-9a-f]{31}(?![0-9a-zA-Z])"],
  ["digitalocean-token", ["dop_v1_", "doo_v1_", "dor_v1_"], "[0-9a-f]{64}"],
  ["databricks-token", ["dapi"], "[0-9a-f]{32}(?:-\\d)?(?![0-9a-zA-Z])"],
  ["heroku-key", ["HRKU-"], "[\\w-]{36,}"],
  ["vault-token", ["hvs.", "hvb.", "hvr."], "[\\w-]{24,}"],
  ["linear-key", ["lin_api_", "lin_oauth_"], "[A-Za-z0-9]{32,}"],
  ["notion-token", ["ntn_"], "[A-Za-z0-9]{40,}"],
  ["notion-token", ["secret_"], "[A-Za-z0-9]{43}(?![A-Za-z0-9])"],
  ["atlassian-token", ["ATATT3", "ATCTT3", "ATBB"], "[\\w=-]{24,}"],
  ["figma-token", ["figd_"], "[\\w-]{36,}"],
  ["grafana-token", ["glsa_"], "[A-Za-z0-9]{32}_[0-9a-fA-F]{8}"],
  ["grafana-token", ["glc_"], "[A-Za-z0-9+/=]{32,}"],
  ["newrelic-key", ["NRAK-"], "[A-Z0-9]{27}"],
  ["sentry-token", ["sntrys_", "sntryu_"], "[\\w+/=]{40,}"],
  ["postman-key", ["PMAK-"], "[0-9a-f]{24}-[0-9a-f]{34}"],
  ["doppler-token", ["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."], "[\\w.-]{36,}"],
  ["planetscale-token", ["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], "[\\w.=-]{32,}"],
  ["supabase-key", ["sbp_"], "[0-9a-f]{40}"],
  ["supabase-key", ["sb_secret_"], "[\\w-]{20,}"],
  ["fly-token", ["fo1_", "fm1_", "fm2_"], "[\\w+/=-]{40,}"],
  ["pulumi-token", ["pul-"], "[0-9a-f]{40}"],
  ["sonar-token", ["sqp_", "squ_", "sqa_"], "[0-9a-f]{40}"],
  ["buildkite-token", ["bkua_"], "[0-9a-f]{40}"],
  ["circleci-token", ["CCIPAT_"], "[A-Za-z0-9]{22}_[0-9a-f]{40}"],
  ["resend-key", ["re_"], "[A-Za-z0-9]{8}_[A-Za-z0-9]{24}"],
  ["1password-token", ["ops_eyJ"], "[\\w=-]{60,}"],
  ["age-key", ["AGE-SECRET-KEY-1"], "[0-9A-Z]{58}"],
  ["dropbox-token", ["sl."], "[\\w-]{100,}"],
  ["facebook-token", ["EAACEdEose0cBA"], "[A-Za-z0-9]{20,}"],
];

function escaped(prefix: string): string {
  return prefix.replace(/[.$]/g, "\\$&");
}

const prefixed: SecretRule[] = PREFIXED.map(([kind, prefixes, rest]) => {
  const source = `(?<![A-Za-z0-9])(?:${prefixes.map(escaped).join("|")})${rest}`;
  return { kind, triggers: prefixes, pattern: new RegExp(source, "g"), whole: new RegExp(source, "y") };
});

/** Secrets that tell by their form or by what surrounds them. */
const shaped: SecretRule[] = [
  {
    kind: "private-key",
    triggers: ["PRIVATE KEY"],
    // The body may have real line breaks, escaped ones or none, and may be cut off before its end.
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:[\s"'+,|>]|\\[nr])*(?:[A-Z][\w-]+: [^\n]*\s+)*[A-Za-z0-9+/=]{16,}(?:(?:[\s"',+]|\\[nr])+[A-Za-z0-9+/=]{16,})*(?:(?:[\s"',+]|\\[nr])*[A-Za-z0-9+/=]{0,15}(?:[\s"',+]|\\[nr])*-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?/g,
  },
  {
    kind: "private-key",
    triggers: ["Private-Lines:"],
    pattern: /(?<=Private-Lines: \d{1,3}\s+)(?:[A-Za-z0-9+/=]{16,}\s*)+/g,
  },
  {
    kind: "jwt",
    triggers: ["eyJ"],
    pattern: /(?<![\w-])(?:[sp]k\.)?eyJ[\w-]{8,}\.(?:eyJ)?[\w-]{8,}\.[\w-]{8,}/g,
  },
  {
    kind: "telegram-token",
    triggers: [],
    pattern: /(?<![A-Za-z0-9])\d{8,10}:AA[\w-]{33}(?![\w-])/g,
  },
  {
    kind: "discord-token",
    triggers: [],
    pattern: /(?<![\w.-])[MNO][A-Za-z\d_-]{22,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])/g,
  },
  {
    kind: "airtable-token",
    triggers: [],
    pattern: /(?<![A-Za-z0-9])pat[A-Za-z0-9]{14}\.[0-9a-f]{64}/g,
  },
  {
    kind: "slack-webhook",
    triggers: ["hooks.slack.com/"],
    pattern: /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9/_-]{20,}/g,
  },
  {
    kind: "discord-webhook",
    triggers: ["webhooks/"],
    pattern: /(?<=\/api\/webhooks\/\d{15,21}\/)[\w-]{50,}/g,
  },
  {
    kind: "azure-key",
    triggers: ["AccountKey=", "SharedAccessKey=", "accountkey="],
    pattern: /(?<=(?:AccountKey|SharedAccessKey|accountkey)=)[A-Za-z0-9+/]{40,}={0,2}/g,
  },
  {
    kind: "azure-sas",
    triggers: ["sig="],
    pattern: /(?<=[?&;]sig=)[A-Za-z0-9%+/=_-]{40,}/g,
  },
  {
    kind: "aws-signature",
    triggers: ["X-Amz-Signature=", "X-Amz-Security-Token="],
    pattern: /(?<=X-Amz-(?:Signature|Security-Token)=)[A-Za-z0-9%+/=_-]{40,}/g,
  },
  {
    kind: "azure-client-secret",
    triggers: [],
    pattern: /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])/g,
  },
  {
    kind: "terraform-token",
    triggers: ["atlasv1."],
    pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,}/g,
  },
  {
    kind: "google-oauth",
    triggers: ["1//0"],
    pattern: /(?<![\w/])1\/\/0[\w-]{40,}/g,
  },
  {
    kind: "mailchimp-key",
    triggers: ["us1", "us2", "us3", "us4", "us5", "us6", "us7", "us8", "us9"],
    pattern: /(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?!\w)/g,
  },
];

/** Every rule that needs no name beside the secret, the more particular ones first. */
export const SECRET_RULES: readonly SecretRule[] = [...prefixed, ...shaped];
