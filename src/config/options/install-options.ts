/** Rows of `install`, `uninstall` and `doctor`. */
import { makeCommandOption, type OptionRow } from './option-row.ts';
import { flag, makeListCheck, makePredicateCheck, makeChoiceCheck, makeTextCheck } from './shape.ts';

export const INSTALL_CLIENT_NAMES = [
  ...(['claude-code', 'claude-desktop', 'vscode', 'cursor', 'codex', 'gemini', 'windsurf', 'zed'] as const),
];
export type InstallClientName = (typeof INSTALL_CLIENT_NAMES)[number];

const SCOPES = ['user', 'project'] as const;
export type InstallScope = (typeof SCOPES)[number];

const BOTH = ['install', 'uninstall'] as const;

export function findEntryNameProblem(name: string): string | undefined {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name)
    ? undefined
    : 'it must have A-Z a-z 0-9 _ - alone, and begin with a letter or digit';
}

/** Refuses `NAME=value`, since the value would stay in the shell's history. */
function findVariableProblem(name: string): string | undefined {
  return /^[A-Za-z_]\w*$/.test(name)
    ? undefined
    : 'it must be the name of a variable alone; its value comes from the environment';
}

function findUrlProblem(url: string): string | undefined {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
    ? undefined
    : 'it must be the http or https URL of a running server, such as https://mcp.example.com/mcp';
}

const portNumber = makePredicateCheck(
  (value) => Number.isSafeInteger(value) && Number(value) > 0 && Number(value) < 65_536,
  'must be a port, 1 to 65535',
);

export const INSTALL_OPTIONS = {
  installClient: {
    ...makeCommandOption('Client:', '--client <name>', BOTH, {
      type: 'InstallClientName[]',
      check: makeListCheck(makeChoiceCheck(...INSTALL_CLIENT_NAMES), 'must be a list of clients'),
    }),
    isSplit: true,
    help: `clients: ${INSTALL_CLIENT_NAMES.join(', ')}`,
  },
  scope: {
    ...makeCommandOption('Client:', '--scope <scope>', BOTH, {
      type: 'InstallScope',
      check: makeChoiceCheck(...SCOPES),
    }),
    help: 'user: the configuration of your account; project: a file of the working folder, to be committed',
    default: 'user',
  },
  entryName: {
    ...makeCommandOption('Client:', '--name <name>', BOTH, {
      type: 'string',
      check: makeTextCheck(findEntryNameProblem),
    }),
    help: 'name of the entry',
    default: "the server's name",
  },
  entryVariables: {
    ...makeCommandOption('Client:', '--env <name>', ['install'], {
      type: 'string[]',
      check: makeListCheck(makeTextCheck(findVariableProblem), 'must be a list of names'),
    }),
    isSplit: true,
    help: "variable that the server gets, by the client's own variables",
  },
  writeValues: {
    ...makeCommandOption('Client:', '--write-values', ['install'], { type: 'boolean', check: flag }),
    help: 'write the values of --env into the file where a client has no variables',
  },
  published: {
    ...makeCommandOption('Client:', '--published', ['install'], { type: 'boolean', check: flag }),
    help: 'start the package by npx from npm, once it is published there, and not dist/main.js',
  },
  url: {
    ...makeCommandOption('Client:', '--url <url>', BOTH, {
      type: 'string',
      check: makeTextCheck(findUrlProblem),
    }),
    conflicts: ['entryVariables', 'writeValues', 'published'],
    help: 'a running server over HTTP, instead of a program that the client starts; of uninstall: the URL of the entry',
  },
  port: {
    ...makeCommandOption('Checks:', '--port <n>', ['doctor'], {
      type: 'number',
      check: portNumber,
    }),
    help: 'port of HTTP that must be free',
    default: '$PORT, else 3000',
  },
  offline: {
    ...makeCommandOption('Checks:', '--offline', ['doctor'], { type: 'boolean', check: flag }),
    help: 'send nothing: the API is not asked',
  },
} as const satisfies Record<string, OptionRow>;
