/** What runs of the user's files. */
import { posix } from 'node:path';
import { ts } from 'ts-morph';
import type { AppFile, BuiltAppFile } from '../../../model/app-files.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { eraseTypes } from './erase-types.ts';
import { transpileOptions } from './kept-options.ts';
import { transpileFiles } from './transpile-files.ts';

/** A file, and how it stands in the project. */
export interface WrittenFile extends Omit<AppFile, 'built'> {
  file: ts.SourceFile;
}

/** JSON as it is, and of code its JavaScript; with `maps` each with its source map. */
export function withBuilt(
  written: readonly WrittenFile[],
  source: SourceProgram,
  { maps }: { maps: boolean },
): AppFile[] {
  // What is erased has no map of its own, and fields that are to become assignments are not erased.
  const isErased = !maps && source.program.getCompilerOptions().useDefineForClassFields !== false;
  const made = new Map<ts.SourceFile, Built>();
  for (const each of written) {
    const { file, contents } = each;
    const built = isJson(file)
      ? contents
      : isErased && !file.isDeclarationFile
        ? eraseTypes(parsed(each))
        : undefined;
    if (built !== undefined) made.set(file, { contents: built });
  }
  const rest = written.filter(({ file }) => !made.has(file) && !file.isDeclarationFile);
  for (const [file, built] of transpiled(rest, source, maps)) made.set(file, built);
  return written.map(({ file, ...each }) => {
    const built = made.get(file);
    return built === undefined ? each : { ...each, built: { path: placeOf(each.path), ...built } };
  });
}

type Built = Omit<BuiltAppFile, 'path'>;

/** Those that are CommonJS by their name apart. */
function transpiled(
  files: readonly WrittenFile[],
  source: SourceProgram,
  sourceMap: boolean,
): [ts.SourceFile, Built][] {
  return [false, true].flatMap((isCommon) => {
    const some = files.filter(({ path }) => /\.c[jt]s$/.test(path) === isCommon);
    const texts = new Map(some.map(({ path, contents }) => [`/${path}`, contents]));
    if (texts.size === 0) return [];
    const made = transpileFiles(texts, { ...transpileOptions(source, isCommon), sourceMap });
    return some.map(({ file, path }): [ts.SourceFile, Built] => [file, given(made.get(`/${path}`), path)]);
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
