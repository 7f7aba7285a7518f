/**
 * Collects the user's files for the project: files with tags, and files that they reach. Tests, for example, stay
 * behind.
 */
import { ts } from 'ts-morph';
import type { Observer } from '../../../model/observer.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { type AmbientFiles, ambientFiles } from './ambient-files.ts';
import { findAssets, type FoundAsset } from './assets.ts';
import { type Layout, layoutOf, isJson } from './layout.ts';
import { moduleSpecifiers } from './module-specifiers.ts';
import { OwnModules } from './own-modules.ts';
import { isErased } from './type-modifiers.ts';

export interface Carried {
  layout: Layout;
  files: readonly ts.SourceFile[];
  /** The files that the code reads at run time. */
  assets: readonly FoundAsset[];
  modules: OwnModules;
}

/** `roots` are the files with called functions. */
export function carry(source: SourceProgram, roots: readonly ts.SourceFile[], observer?: Observer): Carried {
  const modules = new OwnModules(source);
  const reached = reach(roots, modules, ambientFiles(source));
  for (const file of reached) if (!isJson(file)) reportDeclared(file, source, modules);
  const files = source.userFiles.filter((file) => reached.has(file));
  const assets = files
    .filter((file) => !isJson(file))
    .flatMap((file) => findAssets(file, source.checker, modules));
  const read = assets.flatMap((asset) => ('path' in asset ? asset.path : []));
  for (const path of read) observer?.file(path);
  const names = [...files.map(({ fileName }) => fileName), ...read];
  return { layout: layoutOf(names, source.program.getCompilerOptions()), files, assets, modules };
}

function reach(
  roots: readonly ts.SourceFile[],
  modules: OwnModules,
  { always, neededBy }: AmbientFiles,
): ReadonlySet<ts.SourceFile> {
  const reached = new Set([...roots, ...always]);
  // The loop also visits files that are added during it.
  for (const file of reached) {
    if (isJson(file)) continue;
    for (const { literal } of moduleSpecifiers(file)) {
      const { own } = modules.find(literal);
      if (own !== undefined) reached.add(own);
    }
    for (const reference of file.referencedFiles) {
      const own = modules.referred(file, reference);
      if (own !== undefined) reached.add(own);
    }
    for (const ambient of neededBy(file)) reached.add(ambient);
  }
  return reached;
}

/** Reports code of which the program has only a declaration file. */
function reportDeclared(file: ts.SourceFile, source: SourceProgram, modules: OwnModules): void {
  const { checker, diagnostics, label, originOf } = source;
  for (const { literal, owner, isType } of moduleSpecifiers(file)) {
    const { own } = modules.find(literal);
    if (own?.isDeclarationFile !== true || isType || file.isDeclarationFile) continue;
    const isAll = ts.isExportDeclaration(owner) && owner.exportClause === undefined;
    if (isAll ? hasCode(own) : !isErased(owner, checker))
      diagnostics.report(
        'code-only-declared',
        { specifier: literal.text, file: label(own) },
        { at: originOf(literal) },
      );
  }
}

function hasCode({ fileName }: ts.SourceFile): boolean {
  return ts.sys.fileExists(fileName.replace(/\.d\.([mc]?)ts$/, '.$1js'));
}
