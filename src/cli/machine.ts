/** The machine as `install` and `doctor` see it. */
import { homedir } from 'node:os';
import { relative } from 'node:path';
import type { Machine } from '../install/clients.ts';
import { isBelow } from '../write/find-obstacle.ts';
import type { Host } from './host.ts';
import { printablePath } from './words.ts';

/** Clients of Windows ignore `HOME`, which other programs set there. */
export function readMachine({ env }: Pick<Host, 'env'>, platform = process.platform): Machine {
  const home = env[platform === 'win32' ? 'USERPROFILE' : 'HOME'] || homedir();
  return { platform, env, home, node: process.execPath };
}

/** Writes a path from the working folder, else with `~` for the home folder. */
export function shortenPath(path: string, host: Pick<Host, 'cwd' | 'env'>): string {
  if (isBelow(host.cwd, path)) return printablePath(relative(host.cwd, path));
  const { home } = readMachine(host);
  return printablePath(isBelow(home, path) ? `~${path.slice(home.length)}` : path);
}
