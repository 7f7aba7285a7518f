/** Builds the JavaScript of the user's files. */
import type { ts } from 'ts-morph';
import type { AppFile } from '../../../model/app-files.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { type Built, BuiltMemory } from './built-memory.ts';
import { transpileOptions } from './kept-options.ts';
import { transpileFiles } from './transpile-files.ts';
import { isJson } from './layout.ts';

export interface WrittenFile extends Omit<AppFile, 'built'> {
  file: ts.SourceFile;
}

export interface BuildOptions {
  maps: boolean;
  /** The memory of the previous build. */
  memory?: BuiltMemory | undefined;
}

export function withBuilt(
  written: readonly WrittenFile[],
  source: SourceProgram,
  { maps, memory = new BuiltMemory() }: BuildOptions,
): AppFile[] {
  const how = JSON.stringify({ ...transpileOptions(source, false), maps });
  const isRun = written.filter(({ file }) => !file.isDeclarationFile);
  const isNew = isRun.filter((each) => memory.get(each, how) === undefined);
  const [json, code] = [isNew.filter(({ file }) => isJson(file)), isNew.filter(({ file }) => !isJson(file))];
  for (const each of json) memory.set(each, how, { contents: each.contents });
  for (const [each, built] of transpiled(code, source, maps)) memory.set(each, how, built);
  return written.map((each) => {
    const { file, ...rest } = each;
    if (file.isDeclarationFile) return rest;
    return { ...rest, built: { path: toBuiltPath(each.path), ...given(memory.get(each, how), each.path) } };
  });
}

/** Transpiles ES modules and files that are CommonJS by their name separately. */
function transpiled(
  files: readonly WrittenFile[],
  source: SourceProgram,
  sourceMap: boolean,
): [WrittenFile, Built][] {
  return [false, true].flatMap((isCommon) => {
    const some = files.filter(({ path }) => /\.c[jt]s$/.test(path) === isCommon);
    const texts = new Map(some.map(({ path, contents }) => [`/${path}`, contents]));
    if (texts.size === 0) return [];
    const made = transpileFiles(texts, { ...transpileOptions(source, isCommon), sourceMap });
    return some.map((each): [WrittenFile, Built] => [each, given(made.get(`/${each.path}`), each.path)]);
  });
}

function given(built: Built | undefined, path: string): Built {
  if (built === undefined) throw new Error(`TypeScript made nothing of ${path}.`);
  return built;
}

function toBuiltPath(path: string): string {
  return path.replace(/^src\//, 'dist/').replace(/\.([mc]?)[jt]sx?$/, '.$1js');
}
