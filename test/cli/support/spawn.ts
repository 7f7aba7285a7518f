// The built command as a process of its own: exit codes, and what goes to which stream.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { canaries, planted } from '../../support/canaries.ts';

const main = fileURLToPath(new URL('../../../dist/bin/mcpgen.js', import.meta.url));

export interface Spawned {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

export interface SpawnOptions {
  cwd: string;
  stdin?: string | Uint8Array;
  env?: Record<string, string>;
  /** Given the process once it runs. */
  meanwhile?: (child: ChildProcess) => void;
  /** Milliseconds until Ctrl-C; standard input stays open then. */
  interruptAfter?: number;
}

export async function mcpgen(
  args: string[],
  { cwd, stdin = '', env = {}, meanwhile, interruptAfter }: SpawnOptions,
): Promise<Spawned> {
  if (!existsSync(main)) throw new Error('mcpgen is not built: run `npm run build` first.');
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: { ...cleanEnvironment(), ...planted(env) },
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
  child.stdin.on('error', () => undefined);
  meanwhile?.(child);
  if (meanwhile === undefined && interruptAfter === undefined) child.stdin.end(stdin);
  if (interruptAfter !== undefined) setTimeout(() => child.kill('SIGINT'), interruptAfter);
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  canaries.hear(args.join(' '), said.stdout + said.stderr);
  return { exitCode, ...said };
}

/** Colours, CI and formats of whoever runs the tests are none of the command's business. */
export function cleanEnvironment(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'XDG_CACHE_HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'LD_LIBRARY_PATH'];
  return Object.fromEntries(
    kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
