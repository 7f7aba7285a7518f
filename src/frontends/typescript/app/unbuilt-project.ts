/** Finds unbuilt projects of the user that an import refers to (TypeScript project references). */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import { withSlashes } from '../program/find-files.ts';
import { readManifest } from './dependencies.ts';
import { packageOf } from './package-of.ts';

/** The folder to build with `tsc -b`; empty for files, registry packages and built projects. */
export function unbuiltProject(specifier: string, file: string, cwd: string): string {
  const name = packageOf(specifier);
  const folder = name === undefined ? undefined : packageFolder(name, dirname(file));
  if (folder === undefined || /[/\\]node_modules[/\\]/.test(folder)) return '';
  const isProject = existsSync(join(folder, 'tsconfig.json'));
  return isProject && namesMissing(folder) ? withSlashes(relative(cwd, folder)) || '.' : '';
}

function packageFolder(name: string, from: string): string | undefined {
  const place = join(from, 'node_modules', name);
  if (existsSync(place)) return realpathSync(place);
  const parent = dirname(from);
  return parent === from ? undefined : packageFolder(name, parent);
}

function namesMissing(folder: string): boolean {
  const { exports, main, types } = readManifest(folder) ?? {};
  const named = [exports, main, types].flatMap(textsIn).filter((each) => !each.includes('*'));
  return named.some((each) => !existsSync(join(folder, each)));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}
