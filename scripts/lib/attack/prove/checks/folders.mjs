/** Folders that somebody else wrote, in which servers are started. */
import { refusal, replacement } from '../checks.mjs';

const folders = 'working folders';

export const checks = [
  {
    check: 'no variables of the working folder',
    edits: [
      ['|| Boolean(env["MCP_DOTENV"]);', '|| Boolean(env["MCP_DOTENV"]) || existsSync(ENV_FILE);'],
      ['chosen === void 0 ? findFile(home) : resolve(chosen)', 'resolve(chosen ?? ".env")'],
    ],
    families: [folders],
    rows: /^the base URL, in/,
    each: true,
  },
  replacement(
    'no variables among installed packages',
    ['.some(isInstalled) ? void 0 : file', '.some(() => false) ? void 0 : file'],
    folders,
    /planted beside package\.json of an installed/,
  ),
  {
    ...refusal(
      'variables of the environment alone',
      '!isForFile(variable)',
      folders,
      /in the file of the project/,
    ),
    each: true,
  },
  replacement(
    'the environment before the file',
    ['else if (!Object.hasOwn(env, variable) || env[variable]', 'else if (true || env[variable]'],
    folders,
    /where the environment has one/,
  ),
  {
    ...replacement(
      'no links of the working folder',
      ['?.isSymbolicLink() !== true) continue;', '?.isSymbolicLink() !== "followed") continue;'],
      folders,
      /named on the command line/,
    ),
    each: true,
  },
];
