/** Variables that any program may need. `dropUntrustedVariables` has already checked those that contain paths. */
const USUAL = [
  ...["PATH", "Path", "PATHEXT", "HOME", "USERPROFILE", "USER", "LOGNAME", "USERNAME", "SHELL", "TERM", "TZ"],
  ...["LANG", "LANGUAGE", "TMPDIR", "TEMP", "TMP", "SystemRoot", "SYSTEMROOT", "APPDATA", "LOCALAPPDATA"],
  ...["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"],
  ...["CLAUDE_CONFIG_DIR", "CODEX_HOME"],
];

function inBothCases(name: string): string[] {
  return [name, name.toUpperCase()];
}

/**
 * Directories of package managers for downloads, and of version managers for programs on PATH. Leaves out variables that name a
 * registry, because a project could name another one.
 */
export const PACKAGE_MANAGER_VARIABLES: readonly string[] = [
  ...["npm_config_prefix", "npm_config_cache"].flatMap(inBothCases),
  ...["YARN_GLOBAL_FOLDER", "YARN_CACHE_FOLDER", "YARN_PREFIX"],
  ...["BUN_INSTALL_BIN", "BUN_INSTALL_GLOBAL_DIR", "BUN_INSTALL_CACHE_DIR"],
  ...[
    "HOMEBREW_CACHE",
    "HOMEBREW_TEMP",
    "VOLTA_HOME",
    "ASDF_DIR",
    "ASDF_DATA_DIR",
    "MISE_DATA_DIR",
    "N_PREFIX",
  ],
];

/** Further variables that a program needs to download something and to install it in the user's usual place. */
const NETWORK = [
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"].flatMap((name) => [name, name.toLowerCase()]),
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"],
  ...["PNPM_HOME", "BUN_INSTALL", "SCOOP", "SCOOP_GLOBAL"],
  ...["npm_config_proxy", "npm_config_https_proxy", "npm_config_noproxy", "npm_config_cafile"].flatMap(
    inBothCases,
  ),
  ...["YARN_HTTP_PROXY", "YARN_HTTPS_PROXY", "HOMEBREW_NO_AUTO_UPDATE", "HOMEBREW_NO_ANALYTICS"],
  ...PACKAGE_MANAGER_VARIABLES,
];

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Returns the variables to pass to a program that is started without the user's request. All others are dropped: a project can
 * set variables for its agent, and one such as `NODE_OPTIONS` makes a program run other code.
 */
export function childEnvironment(env: Variables, { network = false } = {}): Variables {
  const names = new Set(network ? [...USUAL, ...NETWORK] : USUAL);
  const passes = (name: string) => names.has(name) || /^LC_[A-Z]+$/.test(name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => passes(name)));
}
