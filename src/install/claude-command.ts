/** Claude Code's own command, for its user scope: the application rewrites its file while it runs. */
import { execFile } from 'node:child_process';
import { DiagnosticError, createDiagnostic } from '../diagnostics/collector.ts';
import type { Program } from '../write/find-program.ts';

export async function runClaude({ path, env }: Program, args: readonly string[]): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = execFile(path, args, { env, timeout: 30_000 }, (error, stdout, stderr) => {
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
