import { type Finder, finder, valueBehind } from "./finder.ts";

/** `echo secret | command` and `command <<< secret`: commands that read a secret. */
const READERS =
  "op signin|pass insert|secret-tool store|keyring set|restic\\b|borg\\b|age\\b|sudo\\s(?:[^\\n|;]{0,40}\\s)?-[a-zA-Z]*S|docker login|podman login|helm registry login|passwd\\b|chpasswd\\b|gh auth login|gh secret set|gcloud secrets (?:create|versions add)|cryptsetup|wrangler(?:@[\\w.-]{1,20})? (?:pages |versions )?secret put|vault (?:login|kv put)|sshpass|kinit|gpg\\b[^\\n|;]{0,60}--passphrase-fd|ssh-add|npm login|bw unlock|su\\b|smbpasswd|ansible-vault|openssl[^\\n|;]{0,80}stdin|docker secret create|podman secret create|flyctl secrets import|vercel env add|az login|oc login|doctl auth|az devops login|vncpasswd|p4 login|lpass login|hcloud context";
/** Programs that run another one, which may be downloaded for it. */
const RUNNER =
  "(?:(?:npx|pnpx|pnpm|yarn|bunx|bun|npm)\\s{1,20}(?:(?:dlx|exec|run|x|-y|--yes|--bun|--)\\s{1,20}){0,3})?";
const ECHOED = new RegExp(
  `(?:echo|printf)\\s{1,20}(?:-[neE]{1,3}\\s{1,20})?(?:\\\\{0,15}["']%s(?:\\\\{1,2}n)?\\\\{0,15}["']\\s{1,20})?${valueBehind("")}\\s{0,20}\\|\\s{0,20}(?:sudo\\s{1,20})?${RUNNER}(?:${READERS})`,
  "y",
);
const HERE = new RegExp(
  `(?:sudo|docker|podman|gh|vncpasswd|keepassxc-cli|smbpasswd|passwd|cryptsetup|kinit|su|vault|wrangler|circleci|flyctl|glab|gcloud secrets|secret-tool|pass insert|lpass|hcloud|p4 login|az login|npm login|vercel|netlify|supabase|doppler)\\s[^\\n|;<]{0,120}<<<\\s{0,20}${valueBehind("")}`,
  "y",
);
/** What is made a header of `user:password`; a time or an address before `base64` is none. */
const ENCODED =
  /(?:echo|printf)\s{1,20}(?:-[neE]{1,3}\s{1,20})?["']?[\w.@-]{1,60}:(?=[^\s"'|]*[\dA-Z])(?=[^\s"'|]*[a-z])([^\s"'|/]{6,200})["']?\s{0,20}\|\s{0,20}(?:base64|openssl\s{1,20}(?:enc\s{1,20}-)?base64)/y;
const SECRET_NAME = "(?:PASS|PW|PASSWORD|PASSWD|PWD|PASSPHRASE|SECRET|TOKEN|API_?KEY)";
/** Programs that turn one text into another. */
const DECODER = "(?:xxd|base64|base32|openssl|rev|tr|gpg)";
/** A variable for a secret that is filled by `echo`, or by `read` from a here string. */
const FILLED = new RegExp(
  `(?<=${SECRET_NAME}=["']?)\\$\\((?:echo|printf)\\s{1,20}(?:-[neE]{1,3}\\s{1,20})?${valueBehind("")}\\s?(?:\\|\\s?${DECODER}[^\\n|)]{0,60})?\\)`,
  "iy",
);
/** The same from a program that decodes a here string. */
const FILLED_HERE = new RegExp(
  `(?<=${SECRET_NAME}=["']?)\\$\\(${DECODER}[^\\n)<]{0,60}<<<\\s{0,4}${valueBehind("")}\\s?\\)`,
  "iy",
);
const READ = new RegExp(
  `read\\s(?:-\\w+\\s){0,3}(?:\\w+_){0,4}${SECRET_NAME}\\s{0,20}<<<\\s{0,20}${valueBehind("")}`,
  "iy",
);
/** An option that names a file, and gets what a command prints. */
const SUBSTITUTED = new RegExp(
  `--pass(?:word|phrase|wd)?-?file[ =]<\\(\\s?(?:echo|printf)\\s{1,20}(?:-[neE]{1,3}\\s{1,20})?${valueBehind("")}`,
  "y",
);
/** The same behind a flag for a password, as of a file that holds it. */
const SUBSTITUTED_FILE = new RegExp(
  `(?<=\\s(?:-p|--?pass(?:word|wd|phrase)?|--?(?:password|key|token|secret)-?file)[ =])<\\((?:echo|printf)\\s{1,20}(?:-[neE]{1,3}\\s{1,20})?${valueBehind("")}`,
  "y",
);

/** Secrets that commands read from a pipe, a here string or another command. */
export const PIPED_FINDERS: readonly Finder[] = [
  finder(["echo ", "printf "], "password", ECHOED),
  finder(["echo ", "printf "], "password", ENCODED),
  finder(["read "], "password", READ),
  finder(["$(echo ", "$(printf "], "password", FILLED),
  finder(["$(xxd ", "$(base64 ", "$(base32 ", "$(openssl ", "$(rev "], "password", FILLED_HERE),
  finder(["--pass"], "password", SUBSTITUTED),
  finder(["<(echo ", "<(printf "], "password", SUBSTITUTED_FILE),
  finder(
    [
      "sudo ",
      "vncpasswd",
      "keepassxc-cli",
      "smbpasswd",
      "docker login",
      "podman login",
      "docker secret",
      "podman secret",
      "gh auth",
      "gh secret",
      "passwd ",
      "cryptsetup ",
      "kinit ",
      "su ",
      "vault ",
      "wrangler ",
      "circleci ",
      "flyctl ",
      "glab ",
      "gcloud secrets ",
      "secret-tool ",
      "pass insert",
      "lpass ",
      "hcloud ",
      "p4 login",
      "vercel ",
      "netlify ",
      "supabase ",
      "doppler ",
      "az login",
      "npm login",
    ],
    "password",
    HERE,
  ),
];
