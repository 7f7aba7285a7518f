/** Runs the built compiler and other programs to their end. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { runInProcess } from '../../cli/support/fake-host.ts';
import { canaries, planted } from '../../support/canaries.ts';

export const root = path.resolve(import.meta.dirname, '../../..');
export const fixtures = path.join(root, 'fixtures');

/** Node for emitted servers: that of the tests, unless `SERVER_NODE` names another `node`. */
export const serverNode = process.env['SERVER_NODE'] ?? process.execPath;

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CommandOptions {
  cwd?: string;
  env?: Record<string, string | undefined>;
  /** Default: that of the tests. */
  program?: string;
}

/** Runs node with `args`; a bad exit code is a result, not a throw. */
export function node(
  args: string[],
  { cwd = root, env = {}, program = process.execPath }: CommandOptions = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const environment = { ...process.env, NO_COLOR: '1', ...planted(env) };
    const child = spawn(program, args, { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      const ended = {
        code,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      };
      canaries.hear(args.join(' '), ended.stdout + ended.stderr);
      resolve(ended);
    });
  });
}

/** Runs the built `mcpgen`. */
export function mcpgen(args: string[], options?: CommandOptions): Promise<Ended> {
  return node([path.join(root, 'dist/bin/mcpgen.js'), ...args], options);
}

/** Runs `mcpgen` in this process, for tests of what it makes: a start, and with functions that of TypeScript, takes most of a second. */
export async function mcpgenHere(
  args: string[],
  { cwd = root, env = {} }: CommandOptions = {},
): Promise<Ended> {
  const environment = { ...process.env, ...planted(env) };
  const { exitCode, ...said } = await runInProcess(args, { cwd, env: environment });
  canaries.hear(args.join(' '), said.stdout + said.stderr);
  return { code: exitCode, ...said };
}

/** Type-checks (or builds) a project with the repository's own compiler. */
export function tsc(args: string[], options?: CommandOptions): Promise<Ended> {
  return node([path.join(root, 'node_modules/typescript-7/bin/tsc'), '--pretty', 'false', ...args], options);
}
