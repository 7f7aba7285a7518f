/** The machine as `install` and `doctor` see it. */
import { homedir } from 'node:os';
import { isAbsolute, relative, sep } from 'node:path';
import type { Machine } from '../install/clients.ts';
import type { Host } from './host.ts';
import { printablePath } from './words.ts';

/** Clients of Windows ignore `HOME`, which other programs set there. */
export function readMachine({ env }: Pick<Host, 'env'>, platform = process.platform): Machine {
  const home = env[platform === 'win32' ? 'USERPROFILE' : 'HOME'] || homedir();
  return { platform, env, home, node: process.execPath };
}

/** Writes a path from the working folder, else with `~` for the home folder. */
export function shortenPath(path: string, host: Pick<Host, 'cwd' | 'env'>): string {
  const inside = relative(host.cwd, path);
  if (inside.split(sep)[0] !== '..' && !isAbsolute(inside)) return printablePath(inside);
  const { home } = readMachine(host);
  return printablePath(path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path);
}
