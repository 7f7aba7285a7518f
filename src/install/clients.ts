/**
 * Clients that `mcpgen install` writes to, as data: where their configuration is, its form, and how it names variables. The rows
 * were compared with their sources on 2026-11-26.
 */
import { isAbsolute, join } from 'node:path';
import { CLIENT_PROFILES, type ClientName } from '../model/client-profiles.ts';
import type { InstallClientName, InstallScope } from '../config/options/install-options.ts';

export interface InstallClient {
  title: string;
  sources: readonly string[];
  format: 'json' | 'toml';
  /** The member of the file that has the servers, by their names. */
  servers: string;
  /** Absent: the client has no configuration of this scope. */
  files: Partial<Record<InstallScope, (machine: Machine) => string>>;
  /** Begins a path from the folder of a project. Default: nothing. */
  folder?: string;
  /** How an entry gets the value of a variable. Absent: only values can be written. */
  variables?: VariableForm;
  /** The members of an entry for a server over HTTP. Absent: the file takes none. */
  remote?: (url: string) => Record<string, unknown>;
  /** Further members of an entry that starts a program. */
  local?: Record<string, unknown>;
  /** The client searches the tools itself, so it gets all of them. */
  searches?: true;
  mostTools?: number;
  /** The client profile that has the limit of tools. */
  profile?: ClientName;
  /** Continues "Next: ". */
  next: string;
}

/** `text`: the entry names the variable. `forward`: it lists names of variables. `input`: the client asks for the value once. */
export type VariableForm =
  { kind: 'text'; text: (name: string) => string } | { kind: 'forward'; member: string } | { kind: 'input' };

export interface Machine {
  platform: NodeJS.Platform;
  home: string;
  /** The program of Node.js. */
  node: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** An empty variable counts as unset, as shells and clients have it. */
function omitEmptyText(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

function pathBelowHome(...path: string[]): (machine: Machine) => string {
  return ({ home }) => join(home, ...path);
}

/** Configuration of applications: `Library/Application Support` on macOS, `%APPDATA%` on Windows, else `$XDG_CONFIG_HOME`. */
function pathOfAppConfig(...path: string[]): (machine: Machine) => string {
  return ({ platform, home, env }) => {
    if (platform === 'darwin') return join(home, 'Library', 'Application Support', ...path);
    if (platform === 'win32')
      return join(omitEmptyText(env['APPDATA']) ?? join(home, 'AppData', 'Roaming'), ...path);
    const { XDG_CONFIG_HOME: folder = '' } = env;
    // The XDG specification ignores relative paths.
    return join(isAbsolute(folder) ? folder : join(home, '.config'), ...path);
  };
}

/** Zed has `~/.config` on macOS too. */
function pathOfZedConfig({ platform, ...rest }: Machine): string {
  return platform === 'win32'
    ? pathOfAppConfig('Zed', 'settings.json')({ platform, ...rest })
    : pathOfAppConfig('zed', 'settings.json')({ platform: 'linux', ...rest });
}

const RESTART = 'start it again: it reads the file when it starts.';

export const INSTALL_CLIENTS: Readonly<Record<InstallClientName, InstallClient>> = {
  'claude-code': {
    title: 'Claude Code',
    sources: [
      'https://code.claude.com/docs/en/mcp (scopes, add-json, environment variable expansion)',
      'anthropics/claude-code#58314 (CLAUDE_PROJECT_DIR)',
    ],
    format: 'json',
    servers: 'mcpServers',
    files: {
      user: ({ home, env }) => join(omitEmptyText(env['CLAUDE_CONFIG_DIR']) ?? home, '.claude.json'),
      project: () => '.mcp.json',
    },
    folder: '${CLAUDE_PROJECT_DIR:-.}/',
    // Without the default, the text `${NAME}` itself would reach the server where the variable is unset.
    variables: { kind: 'text', text: (name) => `\${${name}:-}` },
    remote: (url) => ({ type: 'http', url }),
    local: { type: 'stdio' },
    searches: true,
    profile: 'claude-code',
    next: '`/mcp` in a new session shows the server.',
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    sources: ['https://modelcontextprotocol.io/docs/develop/connect-local-servers'],
    format: 'json',
    servers: 'mcpServers',
    files: { user: pathOfAppConfig('Claude', 'claude_desktop_config.json') },
    profile: 'claude-desktop',
    next: 'quit Claude Desktop and start it again.',
  },
  vscode: {
    title: 'VS Code',
    sources: ['https://code.visualstudio.com/docs/copilot/reference/mcp-configuration (2026-05-20)'],
    format: 'json',
    servers: 'servers',
    files: { user: pathOfAppConfig('Code', 'User', 'mcp.json'), project: () => join('.vscode', 'mcp.json') },
    folder: '${workspaceFolder}/',
    variables: { kind: 'input' },
    remote: (url) => ({ type: 'http', url }),
    local: { type: 'stdio' },
    searches: true,
    profile: 'vscode',
    next: 'start the server with "MCP: List Servers" of the command palette.',
  },
  cursor: {
    title: 'Cursor',
    sources: ['https://cursor.com/docs/mcp (config interpolation)', 'patchloom/patchloom-vscode#252'],
    format: 'json',
    servers: 'mcpServers',
    files: { user: pathBelowHome('.cursor', 'mcp.json'), project: () => join('.cursor', 'mcp.json') },
    folder: '${workspaceFolder}/',
    variables: { kind: 'text', text: (name) => `\${env:${name}}` },
    remote: (url) => ({ url }),
    local: { type: 'stdio' },
    profile: 'cursor',
    next: 'switch the server on in the settings of Cursor, below MCP.',
  },
  codex: {
    title: 'Codex',
    sources: ['https://developers.openai.com/codex/mcp (env_vars, project-scoped config.toml)'],
    format: 'toml',
    servers: 'mcp_servers',
    files: {
      user: ({ home, env }) => join(omitEmptyText(env['CODEX_HOME']) ?? join(home, '.codex'), 'config.toml'),
      project: () => join('.codex', 'config.toml'),
    },
    variables: { kind: 'forward', member: 'env_vars' },
    remote: (url) => ({ url }),
    profile: 'openai',
    next: RESTART,
  },
  gemini: {
    title: 'Gemini CLI',
    sources: ['https://geminicli.com/docs/tools/mcp-server', 'https://geminicli.com/docs/cli/configuration'],
    format: 'json',
    servers: 'mcpServers',
    files: {
      user: pathBelowHome('.gemini', 'settings.json'),
      project: () => join('.gemini', 'settings.json'),
    },
    variables: { kind: 'text', text: (name) => `$${name}` },
    remote: (httpUrl) => ({ httpUrl }),
    profile: 'gemini',
    next: RESTART,
  },
  windsurf: {
    title: 'Windsurf',
    sources: ['https://docs.windsurf.com/windsurf/cascade/mcp (config interpolation, 100 tools)'],
    format: 'json',
    servers: 'mcpServers',
    files: { user: pathBelowHome('.codeium', 'windsurf', 'mcp_config.json') },
    variables: { kind: 'text', text: (name) => `\${env:${name}}` },
    remote: (serverUrl) => ({ serverUrl }),
    mostTools: 100,
    next: 'press the button that refreshes the servers.',
  },
  zed: {
    title: 'Zed',
    sources: ['https://zed.dev/docs/ai/mcp', 'zed-industries/zed#60459 (no variables)'],
    format: 'json',
    servers: 'context_servers',
    files: { user: pathOfZedConfig, project: () => join('.zed', 'settings.json') },
    remote: (url) => ({ url }),
    next: 'the settings of the agent show the server.',
  },
};

/** Above it, a client that does not search gets the tools that search. Clients without a known limit get that of `surface: auto`. */
export function maximumToolsOf({ mostTools, profile }: InstallClient): number {
  return mostTools ?? (profile && CLIENT_PROFILES[profile].mostTools) ?? 128;
}
