/**
 * The program that mcpgen starts by name. PATH may have folders of a repository that somebody else wrote: `npm run` and `npx` put
 * `node_modules/.bin` first, and a relative entry is below the working folder. No program there is started, neither by mcpgen nor
 * by the programs that it starts: their PATH lacks these folders.
 */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { platform as currentPlatform } from 'node:process';
import { findRealPath } from '../util/ref-policy.ts';
import { findAbove } from '../util/find-above.ts';
import { isBelow } from './find-obstacle.ts';

export interface Program {
  /** Absolute. */
  path: string;
  env: Environment;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Searches PATH without the repositories that contain `folders`. */
export function findProgram(
  name: 'claude',
  folders: readonly string[],
  env: Environment,
  platform: NodeJS.Platform = currentPlatform,
): Program | undefined {
  const isWindows = platform === 'win32';
  // Windows ignores the case of variables, and writes `Path`.
  const variable = Object.keys(env).find((key) => key === 'PATH' || (isWindows && /^path$/i.test(key)));
  if (variable === undefined) return undefined;
  const repositories = folders.flatMap((folder) => findForeignRepository(folder) ?? []);
  const places = (env[variable] ?? '').split(delimiter).filter((place) => {
    const folder = isAbsolute(place) ? findRealPath(place) : undefined;
    return (
      folder !== undefined &&
      ![place, folder].some((path) => /[\\/]node_modules[\\/]\.bin(?:[\\/]|$)/i.test(path)) &&
      !repositories.some((root) => folder === root || isBelow(root, folder))
    );
  });
  const file = isWindows ? `${name}.exe` : name;
  const path = places.map((place) => join(place, file)).find(isProgram);
  return path === undefined ? undefined : { path, env: { ...env, [variable]: places.join(delimiter) } };
}

/** Finds the nearest folder with a `.git` in it. */
export function findWorkTree(folder: string): string | undefined {
  return findAbove(folder, (parent) => (existsSync(join(parent, '.git')) ? parent : undefined));
}

/** Without a `.git`, the folder itself is taken for the repository. One that contains the home folder is the user's. */
function findForeignRepository(folder: string): string | undefined {
  const root = findRealPath(findWorkTree(folder) ?? folder);
  const home = findRealPath(homedir()) ?? homedir();
  return root === undefined || root === home || isBelow(root, home) ? undefined : root;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
