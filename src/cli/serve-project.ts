/** Runs the server of a project from its `dist/`, its handlers included. */
import type { Flags } from '../config/options/option-types.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { noteFile } from '../diagnostics/running-code.ts';
import { refusesCode } from './compile-options.ts';
import type { Host } from './host.ts';
import { flagsFor, reportFlags } from './unfit-flags.ts';
import { shellWord, visiblePath } from './words.ts';

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
  const unfit = flagsFor('source', { ...flags, baseUrl: undefined });
  reportFlags(unfit, 'applies only to sources, but a project is already compiled', diagnostics);
  if (!existsSync(program)) {
    const file = visiblePath(join(dir, 'dist/main.js'));
    diagnostics.report('project-not-built', { file, dir: shellWord(visiblePath(dir)) });
  } else if (refusesCode(flags, host.env)) {
    const because = 'it is the program of the project, with its handlers';
    diagnostics.report('code-refused', { file: visiblePath(join(dir, 'dist/main.js')), because });
  }
  if (diagnostics.hasErrors) return undefined;
  noteFile(program);
  const args = [...forwarded(flags), ...serverArgs];
  const child = spawn(process.execPath, [program, ...args], { cwd: host.cwd, stdio: 'inherit' });
  host.signal.addEventListener('abort', () => child.kill());
  const [code] = (await once(child, 'exit')) as [number | null];
  // A server without an exit code was stopped by a signal, as intended.
  return code ?? 0;
}

/** The options that the server has as well, as its arguments. */
export function forwarded({ include = [], exclude = [], baseUrl }: Flags): string[] {
  return [
    ...include.flatMap((selector) => ['--include', selector]),
    ...exclude.flatMap((selector) => ['--exclude', selector]),
    ...[baseUrl ?? []].flat().flatMap((url) => ['--base-url', url]),
  ];
}
