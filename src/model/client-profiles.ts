/**
 * Rules of clients and model APIs, as data: `lint --client` checks them, and `--for` renames for them and reports the rest. The rows
 * were compared with their sources on 2026-11-26.
 */
export interface ClientProfile {
  /** The name by which people call the client. */
  title: string;
  /** Issues, documentation or measurements that show the rules. */
  sources: readonly string[];
  /** Tool names. */
  names?: NameRule;
  /** Keys of arguments. */
  argumentNames?: RegExp;
  mostTools?: number;
  schema?: SchemaRules;
}

interface NameRule {
  pattern: RegExp;
  longest: number;
  /** Characters that the client adds to the names of server and tool together. */
  added?: number;
}

export interface SchemaRules {
  /** Refuses `type: [string, null]`. */
  oneType?: boolean;
  /** Refuses arrays without `items`. */
  items?: boolean;
  /** Refuses other keywords than these beside a `$ref`. */
  besideRef?: readonly string[];
  /** Reads a `$ref` as an empty object. */
  noRef?: boolean;
}

const LETTERS = /^[A-Za-z0-9_-]+$/;
const KEY = /^[A-Za-z0-9_.-]{1,64}$/;

export const CLIENT_NAMES = [
  'claude',
  'claude-code',
  'claude-desktop',
  'cursor',
  'vscode',
  'copilot',
  'openai',
  'gemini',
  'adk',
] as const;

export type ClientName = (typeof CLIENT_NAMES)[number];

export const CLIENT_PROFILES: Readonly<Record<ClientName, ClientProfile>> = {
  claude: {
    title: 'The Claude API',
    sources: ['evoila/meho#2745', 'hostinger/api-mcp-server#48'],
    names: { pattern: LETTERS, longest: 128 },
    argumentNames: KEY,
  },
  'claude-code': {
    title: 'Claude Code',
    sources: ['its documentation', 'evoila/meho#2745'],
    names: { pattern: LETTERS, longest: 64, added: 'mcp____'.length },
    argumentNames: KEY,
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    sources: ['hostinger/api-mcp-server#51', 'barryw/ImmichMCP#3'],
    names: { pattern: LETTERS, longest: 64 },
    argumentNames: KEY,
  },
  cursor: {
    title: 'Cursor',
    sources: ['anyproto/anytype-mcp#5', 'sentry-mcp-stdio#3'],
    names: { pattern: LETTERS, longest: 59, added: 0 },
    mostTools: 40,
  },
  vscode: {
    title: 'VS Code',
    sources: ['vscode-copilot-release#11653', 'vscode-copilot-release#13065'],
    names: { pattern: LETTERS, longest: 64 },
    mostTools: 128,
    schema: { items: true },
  },
  copilot: {
    title: 'Copilot CLI',
    sources: ['hostinger/api-mcp-server#40', 'github/copilot-cli#1879', 'github/copilot-cli#2581'],
    names: { pattern: LETTERS, longest: 64 },
    mostTools: 128,
    schema: { items: true },
  },
  openai: {
    title: 'The OpenAI API',
    sources: ['openai/codex#8174'],
    names: { pattern: LETTERS, longest: 64 },
    mostTools: 128,
    schema: { items: true },
  },
  gemini: {
    title: 'The Gemini API',
    sources: [
      'gemini-cli#13326',
      'gemini-cli#13142',
      'gemini-cli#19083',
      'opencode#14234',
      'LibreChat#13845',
    ],
    names: { pattern: LETTERS, longest: 63, added: 'mcp__'.length },
    mostTools: 512,
    schema: { oneType: true, items: true, besideRef: ['description', 'default'] },
  },
  adk: {
    title: 'Google ADK',
    sources: ['measured with ADK 2.0'],
    mostTools: 512,
    schema: { noRef: true },
  },
};
