/** Decides whether a file runs as CommonJS, as Node or a bundler would. */
import { dirname } from 'node:path';
import { ts } from 'ts-morph';
import { isCommonModule } from './common-module.ts';
import { readManifest } from './dependencies.ts';
import { waits } from './top-level-await.ts';

/** A file runs as CommonJS if it uses CommonJS syntax and nothing makes it an ES module. */
export function runsAsCommon(file: ts.SourceFile, { module }: ts.CompilerOptions): boolean {
  if (file.isDeclarationFile) return false;
  const format = file.impliedNodeFormat ?? (module === ts.ModuleKind.CommonJS ? module : undefined);
  if (format !== undefined) return format === ts.ModuleKind.CommonJS && isCommonModule(file);
  // With `module: esnext` or `preserve` a bundler decides by the file's syntax.
  return isCommonModule(file) && !isModulePackage(dirname(file.fileName)) && !waits(file) && !usesMeta(file);
}

function isModulePackage(folder: string): boolean {
  const manifest = readManifest(folder);
  if (manifest !== undefined) return manifest['type'] === 'module';
  const parent = dirname(folder);
  return parent !== folder && isModulePackage(parent);
}

/** `import.meta` */
function usesMeta(file: ts.SourceFile): boolean {
  const visit = (node: ts.Node): boolean =>
    (ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword) ||
    ts.forEachChild(node, (child) => visit(child) || undefined) === true;
  return visit(file);
}
