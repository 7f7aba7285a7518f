// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Reads `.env`, whose variables count where the environment has none, or an empty one. */
import { closeSync, constants, existsSync, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { type ServerFeatures, isForFile, listFeatureVariables, UsageError } from '../contract/feature.ts';
import type { FlagValues } from './command-line.ts';
import { getSetting } from './settings.ts';

const ENV_FILE = '.env';

const MOST_BYTES = 256 * 1024;

/** Anyone may have written the file, so a message names only some of its variables. */
const MOST_NAMES = 20;

/** Relative paths in these variables start at the folder of the file, since the client chooses the working folder. */
const PATHS = /^(?:MCP_AUDIT|MCP_FILES_ROOT|(?:MCP_)?TLS_(?:CERT|KEY)(?:_\w+)?)$/;

/** Variables that the server's list mentions only in a description. */
const ALSO_KNOWN = ['HTTP_PROXY', 'NO_PROXY'];

/**
 * Reads the chosen file, else the one beside package.json (`home`).
 * @returns the file that was read
 * @throws {UsageError} if the file can't be read
 */
export function applyEnvFile(
  env: NodeJS.ProcessEnv,
  flags: FlagValues,
  home: URL | undefined,
  tell: (words: string) => void,
): string | undefined {
  const [name, chosen] = getSetting(flags, env, 'dotenv', 'MCP_DOTENV');
  const file = chosen === undefined ? findFile(home) : resolve(chosen);
  if (file === undefined) return undefined;
  const values = readVariablesOfFile(file, chosen === undefined ? '' : `${name}: `);
  const refused: string[] = [];
  for (const [variable, value] of values) {
    if (!isForFile(variable)) refused.push(variable);
    else if (!Object.hasOwn(env, variable) || env[variable] === '')
      env[variable] = resolvePathVariable(variable, value, dirname(file));
  }
  tell(`variables are also read from ${replaceControlChars(file)}`);
  if (refused.length > 0)
    tell(
      `warning: ${replaceControlChars(file)} can't set ${formatFirstNames(refused)}, so that is ignored. Set it in the environment itself.`,
    );
  return file;
}

/** A file below `node_modules` was installed with a package, and holds no settings of this user. */
function findFile(home: URL | undefined): string | undefined {
  if (home === undefined) return undefined;
  const folder = fileURLToPath(home);
  const file = join(folder, ENV_FILE);
  if (!existsSync(join(folder, 'package.json')) || !existsSync(file)) return undefined;
  return [folder, realpathSync(folder)].some(isInstalled) ? undefined : file;
}

function isInstalled(folder: string): boolean {
  return /(?:^|[\\/])node_modules(?:[\\/]|$)/i.test(folder);
}

function readVariablesOfFile(file: string, blamed: string): [name: string, value: string][] {
  try {
    return Object.entries(parseEnv(readText(file))).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    );
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(
      `${blamed}${replaceControlChars(file)} can't be read: ${replaceControlChars(reason)}. Correct the path, or make it a readable file of variables.`,
      { cause },
    );
  }
}

/** Opens without waiting, since a pipe that nobody writes to would block the start. */
function readText(file: string): string {
  const handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(handle);
    if (!stat.isFile()) throw new Error('it is no regular file');
    const bytes = Buffer.alloc(MOST_BYTES + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(handle, bytes, length, bytes.length - length, null);
    if (length > MOST_BYTES) throw new Error(`it has more than ${MOST_BYTES} bytes`);
    const text = bytes.toString('utf8', 0, length);
    if (text.includes('\0')) throw new Error('it is not text in UTF-8');
    return text.replace(/^\uFEFF/, '');
  } finally {
    closeSync(handle);
  }
}

function resolvePathVariable(variable: string, value: string, folder: string): string {
  const isPath = PATHS.test(variable) && value !== '' && !value.trimStart().startsWith('-----BEGIN');
  return isPath && !(variable === 'MCP_AUDIT' && value === 'stderr') ? resolve(folder, value) : value;
}

/** Whether the working folder has a file that was not read: `read` may be the same one by another path. */
export function hasUnreadEnvFile(read: string | undefined): boolean {
  return read === undefined || realpathSync(ENV_FILE) !== realpathSync(read);
}

/** Names only variables of this server, since the file may be anyone's. */
export function warnOfUnreadEnvFile(
  features: ServerFeatures | undefined,
  tell: (words: string) => void,
): void {
  const variables = features === undefined ? [] : listFeatureVariables(features);
  const names = listVariablesInWorkingFolder(new Set([...variables.map(({ name }) => name), ...ALSO_KNOWN]));
  const sets = names.length === 0 ? '' : ` It sets ${formatFirstNames(names)}, which this server reads.`;
  const file = replaceControlChars(resolve(ENV_FILE));
  tell(
    `warning: ${file} is not read: it is in the folder that this server was started in, which may be anyone's.${sets} ` +
      `If you wrote the file for this server, start the server with --dotenv ${JSON.stringify(file)}, or set MCP_DOTENV to that path.`,
  );
}

function listVariablesInWorkingFolder(known: ReadonlySet<string>): string[] {
  try {
    const names = readVariablesOfFile(ENV_FILE, '').map(([name]) => name.toUpperCase());
    return [...known].filter((name) => names.includes(name) && isForFile(name));
  } catch {
    return [];
  }
}

function formatFirstNames(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  const first = names.slice(0, MOST_NAMES).map(replaceControlChars).join(', ');
  return more > 0 ? `${first} and ${more} more` : first;
}

/** Control characters in a path could move the cursor of a terminal. */
function replaceControlChars(text: string): string {
  return text.replace(/\p{C}/gu, '\uFFFD');
}
