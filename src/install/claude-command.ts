/** Claude Code's own command, for its user scope: the application rewrites its file while it runs. */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { DiagnosticError, createDiagnostic } from '../diagnostics/collector.ts';
import type { Machine } from './clients.ts';

/** Finds the program `claude`. `claude.cmd` is not used: it needs a shell, which would interpret the entry. */
export function findClaude({ platform, env }: Machine): string | undefined {
  const name = platform === 'win32' ? 'claude.exe' : 'claude';
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export async function runClaude(
  program: string,
  args: readonly string[],
  env: Machine['env'],
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = execFile(program, args, { env: { ...env }, timeout: 30_000 }, (error, stdout, stderr) => {
      if (error === null) {
        resolve();
        return;
      }
      const [line = ''] = `${stderr}\n${stdout}`.trim().split('\n');
      const reason = line === '' ? (error.message.split('\n')[0] ?? '') : line;
      const command = ['claude', ...args.slice(0, 2)].join(' ');
      reject(
        new DiagnosticError(
          createDiagnostic('client-command-failed', { command, reason: reason.replace(/\.$/, '') }),
        ),
      );
    });
    child.stdin?.end();
  });
}
