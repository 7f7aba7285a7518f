/** Tagged files and files that they reach are copied. Tests, for example, stay behind. */
import { dirname, posix } from 'node:path';
import { ts } from 'ts-morph';

import type { Observer } from '../../../model/observer.ts';
import { findAbove } from '../../../util/find-above.ts';
import { hasMatchingDescendant } from '../program/checker-queries.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { type FoundAsset, findAssets } from './assets.ts';
import { readManifest } from './dependencies.ts';
import { usesCommonJs, hasTopLevelAwait, OwnModules, moduleSpecifiers } from './module-specifiers.ts';
import { importsOnlyTypes } from './type-erasure.ts';

export interface Carried {
  layout: Layout;
  files: readonly ts.SourceFile[];
  assets: readonly FoundAsset[];
  modules: OwnModules;
}

/** `roots` are the files with called functions. */
export function collectAppFiles(
  source: SourceProgram,
  roots: readonly ts.SourceFile[],
  observer?: Observer,
): Carried {
  const modules = new OwnModules(source);
  const reached = collectReachedFiles([...roots, ...source.userFiles.filter(isAmbient)], modules);
  for (const file of reached) if (!isJson(file)) reportCodeOnlyDeclared(file, source, modules);
  const files = source.userFiles.filter((file) => reached.has(file));
  const assets = files
    .filter((file) => !isJson(file))
    .flatMap((file) => findAssets(file, source.checker, modules));
  const read = assets.flatMap((asset) => ('path' in asset ? asset.path : []));
  for (const path of read) observer?.file(path);
  const names = [...files.map(({ fileName }) => fileName), ...read];
  return { layout: deriveLayout(names, source.program.getCompilerOptions()), files, assets, modules };
}

function collectReachedFiles(
  roots: readonly ts.SourceFile[],
  modules: OwnModules,
): ReadonlySet<ts.SourceFile> {
  const reached = new Set(roots);
  // The loop also visits files that are added during it.
  for (const file of reached) {
    if (isJson(file)) continue;
    for (const { literal } of moduleSpecifiers(file)) {
      const { ownFile } = modules.resolveModule(literal);
      if (ownFile !== undefined) reached.add(ownFile);
    }
    for (const reference of file.referencedFiles) {
      const ownFile = modules.findReferencedFile(file, reference);
      if (ownFile !== undefined) reached.add(ownFile);
    }
  }
  return reached;
}

/** Whether the file declares what no import names: `declare global`, `declare module 'x'`, or a script of declarations. */
function isAmbient(file: ts.SourceFile): boolean {
  if (/^\s*declare\s+(?:global\b|module\s+['"])/m.test(file.text)) return true;
  return file.isDeclarationFile && !ts.isExternalModule(file);
}

/** Reports code of which the program has only a declaration file. */
function reportCodeOnlyDeclared(file: ts.SourceFile, source: SourceProgram, modules: OwnModules): void {
  const { checker, diagnostics, label, originOf } = source;
  for (const { literal, owner, isType } of moduleSpecifiers(file)) {
    const { ownFile } = modules.resolveModule(literal);
    if (ownFile?.isDeclarationFile !== true || isType || file.isDeclarationFile) continue;
    const isAll = ts.isExportDeclaration(owner) && owner.exportClause === undefined;
    if (isAll ? hasJavaScriptBeside(ownFile) : !importsOnlyTypes(owner, checker))
      diagnostics.report(
        'code-not-loadable',
        {
          specifier: literal.text,
          problem: `resolves to ${label(ownFile)}, which contains only types, so the server would not find its code`,
          fix: 'Delete the declaration file, so that TypeScript reads the JavaScript beside it, or write it as TypeScript.',
        },
        { at: originOf(literal) },
      );
  }
}

function hasJavaScriptBeside({ fileName }: ts.SourceFile): boolean {
  return ts.sys.fileExists(fileName.replace(/\.d\.([mc]?)ts$/, '.$1js'));
}

export interface Layout {
  root: string;
  pathOf: (file: ts.SourceFile) => string;
  placeOf: (path: string) => string;
}

function deriveLayout(names: readonly string[], options: ts.CompilerOptions): Layout {
  const folders = names.map((name) => posix.dirname(name).split('/'));
  const [first = [], ...moreFolders] = folders;
  const depth = first.findIndex((part, index) => moreFolders.some((folder) => folder[index] !== part));
  const root = first.slice(0, depth === -1 ? undefined : depth).join('/') || '/';
  const placeOf = (path: string): string => `app/${posix.relative(root, path)}`;
  return {
    root,
    placeOf,
    pathOf: (file) =>
      placeOf(file.fileName).replace(/\.([jt])s$/, runsAsCommonJs(file, options) ? '.c$1s' : '.$1s'),
  };
}

export function isJson({ fileName }: ts.SourceFile): boolean {
  return fileName.endsWith('.json');
}

/** A file runs as CommonJS if it uses CommonJS syntax and nothing makes it an ES module. */
function runsAsCommonJs(file: ts.SourceFile, { module }: ts.CompilerOptions): boolean {
  if (file.isDeclarationFile) return false;
  const format = file.impliedNodeFormat ?? (module === ts.ModuleKind.CommonJS ? module : undefined);
  if (format !== undefined) return format === ts.ModuleKind.CommonJS && usesCommonJs(file);
  // With `module: esnext` or `preserve` a bundler decides by the file's syntax.
  return (
    usesCommonJs(file) &&
    findAbove(dirname(file.fileName), readManifest)?.['type'] !== 'module' &&
    !hasTopLevelAwait(file) &&
    !hasMatchingDescendant(file, isImportMeta)
  );
}

/** `import.meta` */
function isImportMeta(node: ts.Node): boolean {
  return ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword;
}
