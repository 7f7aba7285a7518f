/** Runs the server of a project from its `dist/`, its handlers included. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { Flags } from '../config/options/option-types.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { recordRunFile } from '../diagnostics/running-code.ts';
import { isCodeRefused } from './compile-options.ts';
import type { Host } from './host.ts';
import { listCompileFlags, reportInapplicableFlags } from './source-kind.ts';
import { quoteShellWord, printablePath } from './words.ts';

/** Resolves to the server's exit code; `undefined` after an error. */
export async function serveProject(
  dir: string,
  flags: Flags,
  serverArgs: readonly string[],
  host: Host,
  diagnostics: DiagnosticCollector,
): Promise<number | undefined> {
  const program = resolve(host.cwd, dir, 'dist/main.js');
  // The server has `--base-url`, too.
  const unfit = listCompileFlags('source', { ...flags, baseUrl: undefined });
  const helpCommand = `mcpgen serve ${quoteShellWord(printablePath(dir))} -- --help`;
  const why = `applies only to sources, but a project is already compiled; \`${helpCommand}\` lists the flags of its server, which follow \`--\``;
  reportInapplicableFlags(unfit, why, diagnostics);
  if (!existsSync(program)) {
    const file = printablePath(join(dir, 'dist/main.js'));
    diagnostics.report('project-not-built', { file, dir: quoteShellWord(printablePath(dir)) });
  } else if (isCodeRefused(flags, host.env)) {
    const because = 'it is the program of the project, with its handlers';
    diagnostics.report('code-refused', { file: printablePath(join(dir, 'dist/main.js')), because });
  }
  if (diagnostics.hasErrors) return undefined;
  recordRunFile(program);
  const args = [...makeServerArgs(flags), ...serverArgs];
  const child = spawn(process.execPath, [program, ...args], { cwd: host.cwd, stdio: 'inherit' });
  host.signal.addEventListener('abort', () => child.kill());
  const [code] = (await once(child, 'exit')) as [number | null];
  // A server without an exit code was stopped by a signal, as intended.
  return code ?? 0;
}

/** Turns options that the server has as well into its arguments. */
export function makeServerArgs({ include = [], exclude = [], baseUrl }: Flags): string[] {
  return [
    ...include.flatMap((selector) => ['--include', selector]),
    ...exclude.flatMap((selector) => ['--exclude', selector]),
    ...[baseUrl ?? []].flat().flatMap((url) => ['--base-url', url]),
  ];
}
