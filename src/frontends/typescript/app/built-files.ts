/** What runs of the user's files. */
import { posix } from 'node:path';
import { ts } from 'ts-morph';
import type { AppFile } from '../../../model/app-files.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { type Built, BuiltMemory } from './built-memory.ts';
import { eraseTypes } from './erase-types.ts';
import { keptPlaces } from './kept-places.ts';
import { transpileOptions } from './kept-options.ts';
import { transpileFiles } from './transpile-files.ts';

/** A file, and how it stands in the project. */
export interface WrittenFile extends Omit<AppFile, 'built'> {
  file: ts.SourceFile;
}

export interface BuildOptions {
  /** Make source maps too. */
  maps: boolean;
  /** Of the build before, where there was one. */
  memory?: BuiltMemory | undefined;
}

/** JSON as it is, and of code its JavaScript: types are erased from it where that is enough, else TypeScript prints it. */
export function withBuilt(
  written: readonly WrittenFile[],
  source: SourceProgram,
  { maps, memory = new BuiltMemory() }: BuildOptions,
): AppFile[] {
  const how = JSON.stringify({ ...transpileOptions(source, false), maps });
  const isRun = written.filter(({ file }) => !file.isDeclarationFile);
  const isNew = isRun.filter((each) => memory.get(each, how) === undefined);
  // Fields that are to become assignments are not erased.
  const isErased = source.program.getCompilerOptions().useDefineForClassFields !== false;
  const left = isNew.filter((each) => {
    const built = isJson(each.file) ? { contents: each.contents } : isErased ? erased(each, maps) : undefined;
    if (built !== undefined) memory.set(each, how, built);
    return built === undefined;
  });
  for (const [each, built] of transpiled(left, source, maps)) memory.set(each, how, built);
  return written.map((each) => {
    const { file, ...rest } = each;
    if (file.isDeclarationFile) return rest;
    return { ...rest, built: { path: placeOf(each.path), ...given(memory.get(each, how), each.path) } };
  });
}

function erased(each: WrittenFile, maps: boolean): Built | undefined {
  const contents = eraseTypes(parsed(each));
  if (contents === undefined) return undefined;
  return { contents, ...(maps ? { map: keptPlaces(contents) } : {}) };
}

/** Those that are CommonJS by their name apart. */
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

/** Often nothing of a file was rewritten. */
function parsed({ file, path, contents }: WrittenFile): ts.SourceFile {
  if (contents === file.text && path.endsWith(posix.extname(file.fileName))) return file;
  const how = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
  return ts.createSourceFile(path, contents, how, true);
}

function placeOf(path: string): string {
  return path.replace(/^src\//, 'dist/').replace(/\.([mc]?)[jt]sx?$/, '.$1js');
}

export function isJson({ fileName }: ts.SourceFile): boolean {
  return fileName.endsWith('.json');
}
