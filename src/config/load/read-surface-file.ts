/** Reads `mcpgen.surface.json` beside a configuration, or in the working folder where there is none. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { Observer } from '../../model/observer.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { describeFault } from '../options/shape.ts';
import { SURFACE_FILE, type SurfaceFile, checkSurfaceFile } from '../options/surface-file.ts';

export interface SurfaceRun {
  cwd: string;
  diagnostics: DiagnosticCollector;
  observer?: Observer | undefined;
  /** Texts in place of those on disk, by absolute path; `undefined` for no file. */
  drafts?: Drafts | undefined;
}

export type Drafts = ReadonlyMap<string, string | undefined>;

/** Empty if there is no such file. Reports all faults; `undefined` after an error. */
export async function readSurfaceFile(
  dir: string,
  { cwd, diagnostics, observer, drafts }: SurfaceRun,
  servers: readonly string[] = [],
): Promise<SurfaceFile | undefined> {
  const file = join(dir, SURFACE_FILE);
  const path = resolve(cwd, file);
  observer?.file(path);
  const read = drafts?.has(path) === true ? { text: drafts.get(path) } : readText(path);
  if ('problem' in read) {
    diagnostics.report('invalid-config', { file, problem: read.problem });
    return undefined;
  }
  const { text } = read;
  if (text === undefined) return {};
  const { createPlaceFinder: configPlaces, parseConfigText: configValue } = await import('./config-value.ts');
  const parsed = await configValue(path, text);
  const makeCodeOrigin = (place: { line: number; column: number }) => ({
    kind: 'code' as const,
    file,
    ...place,
  });
  if ('problems' in parsed) {
    for (const { problem, place } of parsed.problems)
      diagnostics.report('invalid-config', { file, problem }, { at: place && makeCodeOrigin(place) });
    return undefined;
  }
  const faults = checkSurfaceFile(parsed.value, servers);
  if (hasValidShape(parsed.value, faults.length === 0)) return parsed.value;
  const placeOf = await configPlaces(file, text);
  for (const fault of faults)
    diagnostics.report(
      'invalid-config',
      { file, problem: describeFault(fault) },
      { at: makeCodeOrigin(placeOf(fault)) },
    );
  return undefined;
}

function hasValidShape(value: unknown, isFine: boolean): value is SurfaceFile {
  return isFine && typeof value === 'object';
}

function readText(path: string): { text: string | undefined } | { problem: string } {
  try {
    return { text: readFileSync(path, 'utf8') };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return code === 'ENOENT' ? { text: undefined } : { problem: `it cannot be read (${code})` };
  }
}
