import { join } from "node:path";

/** A client from the package registry, and how it is played without a network. */
export interface Client {
  /** Name of the player. */
  key: string;
  /** Id of the agent. */
  id: string;
  package: string;
  version: string;
  /** What starts it, below the directory that it is installed in. */
  program: string;
  /** Whether node runs the program. */
  isScript: boolean;
  /** What mementor gives it. */
  told: "hooks" | "mcp" | "plugin";
  /** Arguments before the prompt. */
  args: readonly string[];
  /** Those with which it runs only what it has leave to; none for a client that gets no leave. */
  argsOfLeave?: readonly string[];
  env: (port: number) => Record<string, string>;
  /** Files of the home directory that make it use the model on loopback. */
  files: (port: number) => Record<string, string>;
}

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

const OPENCODE: Omit<Client, "key" | "told"> = {
  id: "opencode",
  package: "opencode-ai",
  version: "1.18.33",
  program: "opencode-linux-x64/bin/opencode",
  isScript: false,
  args: ["run", "--auto"],
  env: () => ({
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  }),
  files: (port) => ({
    // Without a network, the client would wait for its registry for over a minute at each start.
    ".npmrc": "fetch-retries=0\n",
    ".config/opencode/opencode.json": json({
      $schema: "https://opencode.ai/config.json",
      model: "mock/mock-1",
      small_model: "mock/mock-1",
      provider: {
        mock: {
          npm: "@ai-sdk/openai-compatible",
          options: { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: "dummy" },
          models: { "mock-1": { tool_call: true, limit: { context: 100_000, output: 8_000 } } },
        },
      },
    }),
  }),
};

/** Claude Code, which takes part in every scene: it decides something, and is told about a decision of the other client. */
export const CLAUDE: Client = {
  key: "claude-code",
  id: "claude-code",
  package: "@anthropic-ai/claude-code",
  version: "2.1.330",
  program: "@anthropic-ai/claude-code-linux-x64/claude",
  isScript: false,
  told: "hooks",
  args: ["-p"],
  env: (port) => ({
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
    ANTHROPIC_API_KEY: "dummy",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
  }),
  files: () => ({}),
};

export const CLIENTS: readonly Client[] = [
  {
    key: "codex",
    id: "codex",
    package: "@openai/codex",
    version: "0.169.0",
    program: "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
    isScript: false,
    told: "hooks",
    args: ["exec", "--skip-git-repo-check"],
    // It asks about nothing then: what it has no leave to, it runs in a sandbox that lets it write nothing.
    argsOfLeave: ["-c", 'sandbox_mode="read-only"', "-c", 'approval_policy="on-request"'],
    env: () => ({ MOCK_KEY: "dummy" }),
    files: (port) => ({
      ".codex/config.toml": `model = "gpt-5.5"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[model_providers.mock]
name = "mock"
base_url = "http://127.0.0.1:${port}/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false
`,
    }),
  },
  {
    key: "gemini",
    id: "gemini",
    package: "@google/gemini-cli",
    version: "0.61.0",
    program: "@google/gemini-cli/bundle/gemini.js",
    isScript: true,
    told: "hooks",
    args: ["-m", "gemini-2.5-pro", "-p"],
    argsOfLeave: [],
    env: (port) => ({
      GEMINI_API_KEY: "dummy",
      GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}`,
      GEMINI_CLI_NO_RELAUNCH: "true",
      GEMINI_CLI_TRUST_WORKSPACE: "true",
    }),
    files: () => ({
      ".gemini/settings.json": json({
        security: { auth: { selectedType: "gemini-api-key" } },
        general: { enableAutoUpdate: false, sessionRetention: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      }),
    }),
  },
  {
    key: "qwen",
    id: "qwen",
    package: "@qwen-code/qwen-code",
    version: "0.15.10",
    program: "@qwen-code/qwen-code/cli.js",
    isScript: true,
    told: "hooks",
    args: ["--auth-type", "openai", "-y", "-p"],
    env: (port) => ({
      OPENAI_API_KEY: "dummy",
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      OPENAI_MODEL: "mock-1",
    }),
    files: () => ({
      ".qwen/settings.json": json({
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
        security: { auth: { selectedType: "openai" } },
        $version: 4,
      }),
    }),
  },
  {
    key: "copilot",
    id: "copilot",
    package: "@github/copilot",
    version: "1.0.102",
    program: "@github/copilot-linux-x64/copilot",
    isScript: false,
    told: "hooks",
    args: ["--allow-all-tools", "-p"],
    env: (port) => ({
      COPILOT_OFFLINE: "true",
      COPILOT_AUTO_UPDATE: "false",
      COPILOT_PROVIDER_BASE_URL: `http://127.0.0.1:${port}/v1`,
      COPILOT_PROVIDER_API_KEY: "dummy",
      COPILOT_MODEL: "mock-1",
      COPILOT_PROVIDER_MAX_PROMPT_TOKENS: "100000",
      COPILOT_PROVIDER_MAX_OUTPUT_TOKENS: "8000",
    }),
    files: () => ({ ".copilot/.keep": "" }),
  },
  { ...OPENCODE, key: "opencode", told: "mcp" },
  { ...OPENCODE, key: "opencode-plugin", told: "plugin" },
];

/** The command that starts a client in `folder`. */
export function commandOf({ program, isScript, args }: Client, folder: string): string[] {
  const file = join(folder, "node_modules", ...program.split("/"));
  return [...(isScript ? ["node", file] : [file]), ...args];
}
