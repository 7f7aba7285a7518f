/** Values of the options of `install` and `uninstall`. */

export const INSTALL_CLIENT_NAMES = [
  ...(['claude-code', 'claude-desktop', 'vscode', 'cursor', 'codex', 'gemini', 'windsurf', 'zed'] as const),
];
export type InstallClientName = (typeof INSTALL_CLIENT_NAMES)[number];

export const SCOPES = ['user', 'project'] as const;
export type InstallScope = (typeof SCOPES)[number];

export function findEntryNameProblem(name: string): string | undefined {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name)
    ? undefined
    : 'it must have A-Z a-z 0-9 _ - alone, and begin with a letter or digit';
}

/** Refuses `NAME=value`, since the value would stay in the shell's history. */
export function findVariableProblem(name: string): string | undefined {
  return /^[A-Za-z_]\w*$/.test(name)
    ? undefined
    : 'it must be the name of a variable alone; its value comes from the environment';
}

export function findUrlProblem(url: string): string | undefined {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
    ? undefined
    : 'it must be the http or https URL of a running server, such as https://mcp.example.com/mcp';
}
