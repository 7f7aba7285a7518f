/** The machine as `install` and `doctor` see it. */
import { homedir } from 'node:os';
import { isAbsolute, relative, sep } from 'node:path';
import type { Machine } from '../install/clients.ts';
import type { Host } from './host.ts';
import { printablePath } from './words.ts';

export function readMachine({ env }: Pick<Host, 'env'>): Machine {
  const [home = homedir()] = [env['HOME'], env['USERPROFILE']].filter((path) => path);
  return { platform: process.platform, env, home, node: process.execPath };
}

/** Writes a path from the working folder, else with `~` for the home folder. */
export function shortenPath(path: string, host: Host): string {
  const inside = relative(host.cwd, path);
  if (inside.split(sep)[0] !== '..' && !isAbsolute(inside)) return printablePath(inside);
  const { home } = readMachine(host);
  return printablePath(path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path);
}
