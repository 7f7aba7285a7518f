import { spawn } from 'node:child_process';
import { type ProgramName, findProgram } from '../write/find-program.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Opens an address in the browser of the user. Without a display, or a program for it, nothing happens. */
export function openBrowser(
  address: string,
  env: Environment,
  cwd: string,
  platform = process.platform,
): void {
  const [name, ...args] = browserCommand(address, env, platform) ?? [];
  const program = name && findProgram(name, [cwd], env, platform);
  if (program === undefined) return;
  const child = spawn(program.path, args, { env: program.env, stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

export function browserCommand(
  address: string,
  env: Environment,
  platform: NodeJS.Platform,
): [program: ProgramName, ...args: string[]] | undefined {
  if (platform === 'darwin') return ['open', address];
  // `start` is a command of the shell, and takes its first quoted argument for a title.
  if (platform === 'win32') return ['cmd', '/c', 'start', '""', address];
  const hasDisplay = [env['DISPLAY'], env['WAYLAND_DISPLAY']].some(
    (display) => display !== undefined && display !== '',
  );
  return hasDisplay ? ['xdg-open', address] : undefined;
}
